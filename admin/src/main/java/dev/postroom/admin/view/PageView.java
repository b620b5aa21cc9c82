package dev.postroom.admin.view;

import dev.postroom.operations.MessagePage;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** One page of messages. */
public record PageView(
        List<MessageView> items, int page, int pageSize, long total, boolean totalIsExact, boolean complete) {

    /** With error texts as they may be shown. */
    public static PageView of(MessagePage page, BiFunction<UUID, @Nullable String, @Nullable String> error) {
        return new PageView(
                page.items().stream()
                        .map(item -> MessageView.of(item, error.apply(item.id(), item.error())))
                        .toList(),
                page.page(),
                page.pageSize(),
                page.total(),
                page.totalIsExact(),
                page.complete());
    }
}
