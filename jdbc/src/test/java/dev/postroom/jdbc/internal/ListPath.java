package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.HotPath.Check;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.OperationsStore;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What operators list, one list after the other, so that a test can look at what the database did for each; on the same
 * rows as {@link HotPath}.
 */
public final class ListPath {
    /** What a statement of a list may look at: twice its window in one lane, and some room. */
    public static final long MOST = 9L * MessagePage.SEARCHED / 4;

    private static final int PAGE_SIZE = 50;

    private final OperationsStore operations;
    private final Check check;

    public ListPath(Store store, Check check) {
        this.operations = store.operations();
        this.check = check;
    }

    public void lists() {
        assertThat(list("everything", filter -> filter).items()).hasSize(PAGE_SIZE);
        for (MessageStatus status : MessageStatus.values()) {
            list(status.label(), filter -> filter.status(status));
            list(
                    status.label() + " of no topic",
                    filter -> filter.status(status).topic("none"));
        }
        assertThat(list("no topic", filter -> filter.topic("none")).complete()).isFalse();
        assertThat(list("no text", filter -> filter.text("none")).complete()).isFalse();
        list("what is stale", filter -> filter.staleFor(Duration.ofHours(1)));
        list(
                "what is pending and stale",
                filter -> filter.status(MessageStatus.PENDING).staleFor(Duration.ofHours(1)));
        assertThat(list("a stream", filter -> filter.tenant("").key("order-9999"))
                        .items())
                .isNotEmpty();
        assertThat(list("a key", filter -> filter.key("order-9999")).items()).isNotEmpty();
        assertThat(list("a topic and key", filter -> filter.topic("orders").key("order-9999"))
                        .items())
                .isNotEmpty();
    }

    /** What is shown beside lists. */
    public void overview() {
        assertThat(operations.stats().dead()).isGreaterThan(MessagePage.EXACT_UP_TO);
        check.after("taking stock");
        assertThat(operations.gauges(5).stats().dead()).isGreaterThan(MessagePage.EXACT_UP_TO);
        check.after("reading the gauges");
        assertThat(operations.failures(Tenants.ALL, 1_000, PAGE_SIZE)).isNotEmpty();
        check.after("grouping failures");
        assertThat(operations.blockedStreams(Tenants.ALL, PAGE_SIZE)).hasSize(PAGE_SIZE);
        check.after("listing blocked streams");
    }

    /** What is to be retried or deleted is looked for among rows in these states only. */
    public void selections() {
        operations.select(filter(filter -> filter.status(MessageStatus.FAILED)), Change.RETRY, PAGE_SIZE);
        check.after("choosing failed messages");
        assertThat(operations.select(filter(filter -> filter.topic("orders")), Change.DELETE, PAGE_SIZE))
                .hasSize(PAGE_SIZE);
        check.after("choosing dead letters");
    }

    /** What is looked up by its id, among the live and in the archive; as many at once as may be. */
    public void lookUps() {
        List<UUID> ids = Stream.generate(UUID::randomUUID)
                .limit(OperationsStore.MOST_CHANGES)
                .toList();
        for (Change change : Change.values()) {
            assertThat(operations.count(ids, change)).isZero();
            check.after("looking at messages to " + change.label());
        }
        assertThat(operations.find(ids.get(0), 10)).isEmpty();
        check.after("looking for no message");
    }

    private MessagePage list(String name, UnaryOperator<MessageFilter.Builder> narrowed) {
        MessagePage page = operations.list(filter(narrowed), 0, PAGE_SIZE);
        check.after("listing " + name);
        return page;
    }

    private static MessageFilter filter(UnaryOperator<MessageFilter.Builder> narrowed) {
        return narrowed.apply(MessageFilter.builder()).build();
    }
}
