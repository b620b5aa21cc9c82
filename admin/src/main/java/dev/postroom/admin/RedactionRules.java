package dev.postroom.admin;

import dev.postroom.admin.redact.CredentialText;
import dev.postroom.admin.redact.HeaderNames;
import dev.postroom.admin.redact.HiddenValues;
import dev.postroom.admin.redact.JsonPaths;
import dev.postroom.admin.redact.PlainText;
import dev.postroom.operations.DeliveryFacts;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageDetail.Attempt;
import dev.postroom.operations.MessageItem;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hides the values of headers by name, and parts of JSON payloads by path. Where paths are given, a payload that cannot be
 * searched for them is hidden as a whole, and so are error texts without their message: a receiver's error often quotes
 * what it was sent. Immutable, thread-safe.
 */
public final class RedactionRules implements Redaction {
    /** Headers that hold credentials by their name. */
    public static final RedactionRules DEFAULT = of(List.of(), List.of());

    private static final String HIDDEN_PAYLOAD =
            "(redacted: this payload is not whole JSON text, so it cannot be searched for postroom.redact.json-paths)";
    private static final String HIDDEN_ERROR =
            "(redacted: error texts may quote what postroom.redact.json-paths hides)";
    private static final String UNKNOWN_HEADERS =
            "(redacted: this error may quote headers that are too long for a list, or gone; look at the message)";
    private static final String TOO_MANY_VALUES = "(redacted: too much is hidden in this message to look for it here)";
    private static final int SNIPPET = 200;

    private final HeaderNames headers;
    private final JsonPaths paths;

    private RedactionRules(HeaderNames headers, JsonPaths paths) {
        this.headers = headers;
        this.paths = paths;
    }

    /**
     * Fails, naming the setting, when a rule cannot be read.
     *
     * @param headers names beside the usual ones, {@code *} for any characters, {@code !name} for an exception
     * @param jsonPaths such as {@code $.customer.email}, {@code $.items[*].card}, {@code $..iban}
     */
    public static RedactionRules of(List<String> headers, List<String> jsonPaths) {
        return new RedactionRules(HeaderNames.usualAnd(headers), JsonPaths.of(jsonPaths));
    }

    @Override
    public ErrorSearch searchableErrors() {
        return hidesErrors() ? ErrorSearch.NONE : ErrorSearch.unless(CredentialText.expression(headers));
    }

    /** What a payload must not tell is not known without the payload. */
    private boolean hidesErrors() {
        return !paths.isEmpty();
    }

    @Override
    public @Nullable String error(@Nullable String error) {
        if (error == null || error.isEmpty()) {
            return error;
        }
        return hidesErrors() ? HIDDEN_ERROR : CredentialText.hide(error, headers);
    }

    @Override
    public @Nullable String error(@Nullable String error, @Nullable Map<String, String> headers) {
        if (error == null || error.isEmpty() || hidesErrors()) {
            return error(error);
        }
        if (headers == null) {
            return UNKNOWN_HEADERS;
        }
        HiddenValues hidden = new HiddenValues();
        headers(headers, hidden);
        return error(error, hidden);
    }

    @Override
    public MessageDetail apply(MessageDetail message) {
        HiddenValues hidden = new HiddenValues();
        Map<String, String> shownHeaders = headers(message.headers(), hidden);
        boolean searched = !paths.isEmpty() && message.payloadBytes() > 0;
        String payload = searched ? payload(message, hidden) : null;
        String error = error(message.error(), hidden);
        List<Attempt> attempts = message.attempts().stream()
                .map(attempt -> attempt(attempt, hidden))
                .toList();
        DeliveryFacts facts = facts(message.facts());
        boolean same = shownHeaders.equals(message.headers())
                && payload == null
                && same(error, message.error())
                && attempts.equals(message.attempts())
                && same(facts, message.facts());
        if (same) {
            return message;
        }
        byte[] bytes = payload == null ? message.payload() : payload.getBytes(StandardCharsets.UTF_8);
        return new MessageDetail(
                item(message.item(), error),
                message.lane(),
                message.contentType(),
                payload == null ? message.contentEncoding() : null,
                shownHeaders,
                bytes,
                payload == null ? message.payloadBytes() : bytes.length,
                message.source(),
                error,
                message.crashes(),
                message.completedDestinations(),
                message.released(),
                attempts,
                facts);
    }

    private Map<String, String> headers(Map<String, String> all, HiddenValues hidden) {
        Map<String, String> shown = new LinkedHashMap<>();
        all.forEach((name, value) -> {
            boolean hide = headers.hide(name);
            shown.put(name, hide ? HiddenValues.HIDDEN : value);
            if (hide) {
                hidden.addHeader(value);
            }
        });
        return shown;
    }

    /** What is shown instead, or null when there is nothing to hide in it. */
    private @Nullable String payload(MessageDetail message, HiddenValues hidden) {
        String text = PlainText.of(message);
        String shown = text == null ? null : paths.hide(text, hidden);
        if (shown == null) {
            hidden.addEverything();
            return HIDDEN_PAYLOAD;
        }
        return shown.equals(text) ? null : shown;
    }

    private @Nullable String error(@Nullable String error, HiddenValues hidden) {
        if (error == null || error.isEmpty()) {
            return error;
        }
        if (hidden.isEverything()) {
            return hidesErrors() ? HIDDEN_ERROR : TOO_MANY_VALUES;
        }
        return CredentialText.hide(hidden.in(error), headers);
    }

    private Attempt attempt(Attempt made, HiddenValues hidden) {
        String error = error(made.error(), hidden);
        return new Attempt(
                made.attempt(), made.at(), made.reason(), error == null ? "" : error, made.destination(), made.node());
    }

    /** What another message of its stream failed with: that one's payload is not at hand. */
    private @Nullable DeliveryFacts facts(@Nullable DeliveryFacts facts) {
        if (facts == null) {
            return null;
        }
        DeliveryFacts.HeldBy head = facts.heldBy();
        return new DeliveryFacts(
                facts.now(),
                facts.due(),
                error(facts.defect()),
                head == null
                        ? null
                        : new DeliveryFacts.HeldBy(
                                head.id(),
                                head.topic(),
                                head.status(),
                                head.destinations(),
                                error(head.error(), head.headers()),
                                Map.of()),
                facts.pauses(),
                facts.laneOwner(),
                facts.laneExpired(),
                facts.liveRelays(),
                facts.absent(),
                facts.unrouted());
    }

    private static MessageItem item(MessageItem item, @Nullable String error) {
        return new MessageItem(
                item.id(),
                item.seq(),
                item.stream(),
                item.type(),
                item.status(),
                item.attempts(),
                item.createdAt(),
                item.availableAt(),
                item.processedAt(),
                item.reason(),
                error == null || error.length() <= SNIPPET ? error : error.substring(0, SNIPPET));
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        return java.util.Objects.equals(one, other);
    }
}
