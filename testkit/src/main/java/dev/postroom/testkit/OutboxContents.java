package dev.postroom.testkit;

import dev.postroom.PostroomException;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What has been committed to an outbox, live and archived, in the order it was written. */
record OutboxContents(Outbox outbox) {
    private static final int MOST = 10_000;

    /** Everything, delivered or not. */
    List<ObservedMessage> all() {
        List<MessageItem> items = new ArrayList<>(list(null));
        items.addAll(list(MessageStatus.PROCESSED));
        items.addAll(list(MessageStatus.SKIPPED));
        return details(items);
    }

    /** Those of a status; null for all that have not left. */
    List<ObservedMessage> of(@Nullable MessageStatus status) {
        return details(list(status));
    }

    private List<MessageItem> list(@Nullable MessageStatus status) {
        MessageFilter filter = MessageFilter.builder().status(status).build();
        List<MessageItem> items = new ArrayList<>();
        MessagePage page;
        do {
            page = operations().list(filter, items.size() / MessagePage.MOST_ITEMS, MessagePage.MOST_ITEMS);
            items.addAll(page.items());
            if (items.size() > MOST) {
                throw new PostroomException("there are more than " + MOST + " messages in the outbox, too many for an"
                        + " assertion: use a fresh database for each test");
            }
        } while (page.items().size() == MessagePage.MOST_ITEMS);
        return items;
    }

    private List<ObservedMessage> details(List<MessageItem> items) {
        return items.stream()
                .sorted(Comparator.comparingLong(MessageItem::seq))
                .map(item -> operations().find(item.id(), Operations.MOST_PAYLOAD_BYTES))
                .flatMap(Optional::stream)
                .map(ObservedMessage::of)
                .toList();
    }

    private Operations operations() {
        return Operations.as("test", outbox.store().operations(), outbox.store().maintenance());
    }
}
