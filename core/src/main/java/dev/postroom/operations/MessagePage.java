package dev.postroom.operations;

import java.util.List;

/**
 * One page of messages.
 *
 * @param total how many there are; exact up to {@value #EXACT_UP_TO}, an estimate above
 */
public record MessagePage(List<MessageItem> items, int page, int pageSize, long total, boolean totalIsExact) {
    public static final int EXACT_UP_TO = 10_000;
    public static final int MOST_ITEMS = 500;
}
