package dev.postroom.admin.redact;

import dev.postroom.admin.Redaction;
import dev.postroom.operations.Operations;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The errors of several messages as they may be shown: without what those messages' own headers hide, for which the headers of all of
 * them are read at once. Immutable.
 */
public final class ListedErrors {
    private final Redaction redaction;
    private final Map<UUID, Map<String, String>> headers;

    private ListedErrors(Redaction redaction, Map<UUID, Map<String, String>> headers) {
        this.redaction = redaction;
        this.headers = headers;
    }

    /** Of those of these messages that have an error. */
    public static ListedErrors of(Redaction redaction, Operations operations, Collection<UUID> failed) {
        return new ListedErrors(redaction, operations.headers(failed));
    }

    public @Nullable String shown(UUID message, @Nullable String error) {
        return error == null || error.isEmpty() ? error : redaction.error(error, headers.get(message));
    }
}
