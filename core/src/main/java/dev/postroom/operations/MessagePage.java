package dev.postroom.operations;

import java.util.List;
import java.util.UUID;

/**
 * One page of messages. A list looks at the newest messages that can match, about {@value #SEARCHED} of them, so that it
 * answers soon whatever the backlog.
 *
 * @param total how many there are; exact while all that can match were looked at, otherwise an estimate
 * @param complete whether nothing is missing on this page: false when it is not full because older messages were not
 *     looked at
 */
public record MessagePage(
        List<MessageItem> items, int page, int pageSize, long total, boolean totalIsExact, boolean complete) {
    public static final int EXACT_UP_TO = 10_000;
    public static final int SEARCHED = 10_000;
    public static final int MOST_ITEMS = 500;

    /** Those of them that have an error. */
    public List<UUID> failed() {
        return items.stream()
                .filter(item -> item.error() != null)
                .map(MessageItem::id)
                .toList();
    }
}
