package dev.postroom.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PayloadCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class HandlersTest {
    private static final PayloadCodec NUMBERS = new PayloadCodec() {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] payload, Class<T> type) {
            return type.cast(Integer.valueOf(new String(payload, StandardCharsets.UTF_8)));
        }
    };

    private final List<String> handled = new ArrayList<>();

    private static Delivery delivery(String type, byte[] payload, String encoding, long deadline) {
        Content content = new Content(type, "text/plain", encoding, Map.of(), payload, null);
        return new Delivery(new UUID(0, 1), 1, new Stream("", "topic", "k"), content, Instant.EPOCH, 1, deadline);
    }

    private static Delivery delivery(String type, String text) {
        return delivery(type, text.getBytes(StandardCharsets.UTF_8), null, Long.MAX_VALUE);
    }

    private static Outcome outcome(Handlers handlers, Delivery delivery) {
        List<Outcome> outcomes = new ArrayList<>();
        handlers.executor(Runnable::run).send(delivery, outcomes::add);
        assertThat(outcomes).hasSize(1);
        return outcomes.get(0);
    }

    private void note(Delivery delivery) {
        handled.add(new String(delivery.payload(), StandardCharsets.UTF_8));
    }

    @Test
    void go_by_type_and_by_topic_when_there_is_none() {
        Handlers handlers =
                Handlers.create().on("created", this::note).on("topic", delivery -> handled.add("by topic"));
        assertThat(outcome(handlers, delivery("created", "a"))).isEqualTo(Outcome.confirmed());
        assertThat(outcome(handlers, delivery(null, "b"))).isEqualTo(Outcome.confirmed());
        assertThat(handled).containsExactly("a", "by topic");
    }

    @Test
    @Tag("R26")
    void hold_a_type_that_nobody_handles() {
        assertThat(outcome(Handlers.create(), delivery("unknown", "a")))
                .isEqualTo(Outcome.topicUnavailable("there is no handler for type 'unknown' (there are: none)"));
        assertThat(outcome(Handlers.create().otherwise(this::note), delivery("unknown", "a")))
                .isEqualTo(Outcome.confirmed());
    }

    @Test
    @Tag("R25")
    void classify_what_is_thrown() {
        Handlers handlers = Handlers.create()
                .on("broken", delivery -> {
                    throw new IllegalStateException("no stock");
                })
                .on("wrong", delivery -> {
                    throw new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, "no such article");
                })
                .on("down", delivery -> {
                    throw new DeliveryFailedException(FailureReason.TRANSPORT_UNAVAILABLE, "no mail server");
                })
                .on("linked", delivery -> {
                    throw new NoClassDefFoundError("Missing");
                });
        assertThat(outcome(handlers, delivery("broken", "")))
                .isEqualTo(
                        Outcome.failed(FailureReason.HANDLER_EXCEPTION, "java.lang.IllegalStateException: no stock"));
        assertThat(outcome(handlers, delivery("wrong", "")))
                .isEqualTo(Outcome.failed(FailureReason.VALIDATION_FAILURE, "no such article"));
        assertThat(outcome(handlers, delivery("down", ""))).isEqualTo(Outcome.topicUnavailable("no mail server"));
        assertThat(outcome(handlers, delivery("linked", "")))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.HANDLER_EXCEPTION));
    }

    @Test
    @Tag("R9")
    void decode_into_the_class_that_the_handler_names() {
        Handlers handlers = Handlers.create()
                .codec(NUMBERS)
                .on("number", Integer.class, (number, delivery) -> handled.add("" + (number + 1)));
        assertThat(outcome(handlers, delivery("number", "41"))).isEqualTo(Outcome.confirmed());
        assertThat(handled).containsExactly("42");
        assertThat(outcome(handlers, delivery("number", "x")))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.SERIALIZATION));
    }

    @Test
    void need_a_codec_to_decode() {
        assertThatThrownBy(() -> Handlers.create().on("number", Integer.class, (number, delivery) -> {}))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom-json");
    }

    @Test
    @Tag("R11")
    void get_payloads_as_they_were_before_compression() throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(buffer)) {
            gzip.write("large".getBytes(StandardCharsets.UTF_8));
        }
        Handlers handlers = Handlers.create().otherwise(this::note);
        assertThat(outcome(handlers, delivery("t", buffer.toByteArray(), "gzip", Long.MAX_VALUE)))
                .isEqualTo(Outcome.confirmed());
        assertThat(handled).containsExactly("large");
        assertThat(outcome(handlers, delivery("t", new byte[] {1, 2}, "gzip", Long.MAX_VALUE)))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(FailureReason.SERIALIZATION));
    }

    @Test
    void do_not_run_beyond_the_deadline() {
        Outcome late = outcome(
                Handlers.create().otherwise(this::note), delivery("t", new byte[0], null, System.nanoTime() - 1));
        assertThat(late)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.scope()).isEqualTo(Outcome.Scope.NOT_SENT));
        assertThat(handled).isEmpty();
    }

    @Test
    void run_on_threads_of_their_own_until_they_are_closed() throws InterruptedException {
        BlockingQueue<String> threads = new ArrayBlockingQueue<>(1);
        BlockingQueue<Outcome> outcomes = new ArrayBlockingQueue<>(1);
        Handlers handlers = Handlers.create()
                .otherwise(delivery -> threads.add(Thread.currentThread().getName()));
        handlers.send(delivery("t", ""), outcomes::add);
        assertThat(threads.poll(10, TimeUnit.SECONDS)).startsWith("postroom-handler-");
        assertThat(outcomes.poll(10, TimeUnit.SECONDS)).isEqualTo(Outcome.confirmed());
        handlers.close();
        handlers.send(delivery("t", ""), outcomes::add);
        assertThat(outcomes.poll(10, TimeUnit.SECONDS)).isInstanceOf(Outcome.Failed.class);
    }
}
