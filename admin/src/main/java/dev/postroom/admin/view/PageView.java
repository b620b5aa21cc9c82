package dev.postroom.admin.view;

import dev.postroom.operations.MessagePage;
import java.util.List;

/** One page of messages. */
public record PageView(
        List<MessageView> items, int page, int pageSize, long total, boolean totalIsExact, boolean complete) {

    public static PageView of(MessagePage page) {
        return new PageView(
                page.items().stream().map(MessageView::of).toList(),
                page.page(),
                page.pageSize(),
                page.total(),
                page.totalIsExact(),
                page.complete());
    }
}
