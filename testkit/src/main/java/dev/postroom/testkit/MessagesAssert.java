package dev.postroom.testkit;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.spi.PayloadCodec;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.WritableAssertionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about messages. Each condition must be met by at least one of those that met the conditions before; what fails
 * shows what was there instead.
 */
public final class MessagesAssert extends AbstractAssert<MessagesAssert, List<ObservedMessage>> {
    private static final int MOST_SHOWN = 20;

    private final String what;
    private final String conditions;
    private final List<ObservedMessage> all;

    /** @param from whose description and message of the user's failures have, too */
    static MessagesAssert of(String what, List<ObservedMessage> messages, WritableAssertionInfo from) {
        return new MessagesAssert(what, "", messages, messages).describedAs(from);
    }

    private MessagesAssert(
            String what, String conditions, List<ObservedMessage> all, List<ObservedMessage> candidates) {
        super(candidates, MessagesAssert.class);
        this.what = what;
        this.conditions = conditions;
        this.all = all;
    }

    private MessagesAssert describedAs(WritableAssertionInfo from) {
        info.description(from.description());
        info.overridingErrorMessage(from.overridingErrorMessage());
        return this;
    }

    MessagesAssert toTopic(String topic) {
        return with("to '" + topic + "'", message -> message.stream().topic().equals(topic));
    }

    void noneTo(String topic) {
        List<ObservedMessage> found = actual.stream()
                .filter(message -> message.stream().topic().equals(topic))
                .toList();
        if (!found.isEmpty()) {
            failWithMessage("%nExpected nothing %s to '%s', but there was:%n%s", what, topic, lines(found));
        }
    }

    /** With this key; null for none. */
    public MessagesAssert withKey(@Nullable String key) {
        return with("key=" + key, message -> Objects.equals(message.stream().key(), key));
    }

    /** Of this tenant. */
    public MessagesAssert withTenant(String tenant) {
        return with("tenant=" + tenant, message -> message.stream().tenant().equals(tenant));
    }

    /** Of this logical type. */
    public MessagesAssert withType(String type) {
        return with("type=" + type, message -> message.type().equals(type));
    }

    /** With this header. */
    public MessagesAssert withHeader(String name, String value) {
        return with(
                "header " + name + "=" + value,
                message -> value.equals(message.headers().get(name)));
    }

    /** Without a header of this name. */
    public MessagesAssert withoutHeader(String name) {
        return with("no header " + name, message -> !message.headers().containsKey(name));
    }

    /** With this text as payload. */
    public MessagesAssert withText(String text) {
        return with("payload=" + text, message -> message.text().equals(text));
    }

    /** With a payload that decodes to something equal to this. */
    public MessagesAssert withPayload(Object expected) {
        PayloadCodec codec = codec();
        return with(
                "payload equal to " + expected,
                message -> isReadable(() -> expected.equals(codec.decode(message.payload(), expected.getClass()))));
    }

    /** With a payload that decodes to this class, and passes these assertions. */
    public <T> MessagesAssert withPayload(Class<T> type, Consumer<T> assertions) {
        PayloadCodec codec = codec();
        return satisfying("payload", message -> assertions.accept(codec.decode(message.payload(), type)));
    }

    /** With this value at this place of its JSON: {@code withJson("lines[0].sku", "A-1")}. */
    public MessagesAssert withJson(String path, @Nullable Object value) {
        PayloadCodec codec = codec();
        return with(
                "JSON " + path + "=" + value,
                message -> isReadable(() ->
                        JsonPath.isEqual(JsonPath.find(codec.decode(message.payload(), Object.class), path), value)));
    }

    /** Whose last failure had this reason. */
    public MessagesAssert withReason(FailureReason reason) {
        return with("reason=" + reason, message -> message.reason() == reason);
    }

    /** Whose last error contains this. */
    public MessagesAssert withErrorContaining(String text) {
        return with(
                "error containing '" + text + "'",
                message -> message.error() != null && message.error().contains(text));
    }

    /** So many attempts: those that failed, in the outbox; the number of the try, at a destination. */
    public MessagesAssert withAttempts(int attempts) {
        return with("attempts=" + attempts, message -> message.attempts() == attempts);
    }

    /** That meet this condition of yours. */
    public MessagesAssert matching(String description, Predicate<ObservedMessage> condition) {
        return with(description, condition);
    }

    /** That pass these assertions. If none does, the failure of the last one is the cause. */
    public MessagesAssert satisfying(Consumer<ObservedMessage> assertions) {
        return satisfying("your assertions", assertions);
    }

    private MessagesAssert satisfying(String description, Consumer<ObservedMessage> assertions) {
        AssertionError[] last = new AssertionError[1];
        Predicate<ObservedMessage> passes = message -> {
            try {
                assertions.accept(message);
                return true;
            } catch (AssertionError e) {
                last[0] = e;
                return false;
            }
        };
        try {
            return with(description, passes);
        } catch (AssertionError e) {
            if (last[0] != null) {
                e.addSuppressed(last[0]);
            }
            throw e;
        }
    }

    private MessagesAssert with(String condition, Predicate<ObservedMessage> test) {
        String wanted = conditions.isEmpty() ? condition : conditions + ", " + condition;
        List<ObservedMessage> left = actual.stream().filter(test).toList();
        if (left.isEmpty()) {
            failWithMessage("%nExpected %s: a message %s, but there was:%n%s", what, wanted, lines(all));
        }
        return new MessagesAssert(what, wanted, all, left).describedAs(info);
    }

    /** Exactly one. */
    public MessagesAssert once() {
        return times(1);
    }

    /** Exactly so many. */
    public MessagesAssert times(int count) {
        if (actual.size() != count) {
            String wanted = conditions.isEmpty() ? "" : " " + conditions;
            failWithMessage(
                    "%nExpected %s: %d message(s)%s, but %d of these are:%n%s",
                    what, count, wanted, actual.size(), lines(all));
        }
        return this;
    }

    /** With these keys, in this order. */
    public MessagesAssert inOrderOfKeys(String... keys) {
        List<String> found = actual.stream()
                .map(message -> String.valueOf(message.stream().key()))
                .toList();
        if (!found.equals(List.of(keys))) {
            failWithMessage("%nExpected %s: keys %s in this order, but they were %s", what, List.of(keys), found);
        }
        return this;
    }

    /** With these texts as payloads, in this order. */
    public MessagesAssert inOrderOfTexts(String... texts) {
        List<String> found = actual.stream().map(ObservedMessage::text).toList();
        if (!found.equals(List.of(texts))) {
            failWithMessage("%nExpected %s: payloads %s in this order, but they were %s", what, List.of(texts), found);
        }
        return this;
    }

    /** The messages that are left, for whatever else there is to say. */
    public List<ObservedMessage> messages() {
        return actual;
    }

    private static String lines(List<ObservedMessage> messages) {
        if (messages.isEmpty()) {
            return "  nothing";
        }
        String shown = messages.stream()
                .limit(MOST_SHOWN)
                .map(message -> "  " + message)
                .collect(Collectors.joining(System.lineSeparator()));
        int more = messages.size() - MOST_SHOWN;
        return more > 0 ? shown + System.lineSeparator() + "  and " + more + " more" : shown;
    }

    private interface Reading {
        boolean isTrue();
    }

    /** A payload of another kind is not the one that is looked for. */
    private static boolean isReadable(Reading reading) {
        try {
            return reading.isTrue();
        } catch (PostroomException e) {
            return false;
        }
    }

    private static PayloadCodec codec() {
        return PayloadCodec.onTheClassPath()
                .orElseThrow(() -> new PostroomException("there is no codec to look into payloads with: add"
                        + " postroom-json or postroom-json3 to the class path, or compare with withText"));
    }
}
