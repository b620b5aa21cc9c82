package dev.postroom.outbox;

import dev.postroom.MessageRejectedException;
import dev.postroom.spi.Content;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses attributes that no CloudEvent can have: found at publish they are the caller's error, found at delivery they are
 * dead letters. Nearly all messages of an outbox have the same few values, so that the last good ones are remembered.
 * Thread-safe.
 */
final class AttributeCheck {
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final String QUOTED = "\"(?:[^\"\\\\]|\\\\.)*+\"";
    /** A name with a star is a media range: it says what somebody takes, not what this is. */
    private static final String NAME = TOKEN.replace("*", "");
    /** As RFC 9110 has it, which is what every protocol's content type is read by. */
    private static final Pattern MEDIA_TYPE =
            Pattern.compile(NAME + "/" + NAME + "(?: *+; *+(?:" + TOKEN + "=(?:" + TOKEN + "|" + QUOTED + "))?+)*+ *+");

    /** Immutable texts, so that a race costs a check and nothing else. */
    private @Nullable String knownContentType;

    private @Nullable String knownSource;

    void check(Content content) {
        contentType(content.contentType());
        String source = content.source();
        if (source != null && !source.equals(knownSource)) {
            String problem = problemOf(source);
            if (problem != null) {
                throw new MessageRejectedException("the source " + problem);
            }
            knownSource = source;
        }
    }

    private void contentType(String contentType) {
        if (contentType.equals(knownContentType)) {
            return;
        }
        if (!MEDIA_TYPE.matcher(contentType).matches()) {
            throw new MessageRejectedException("the content type '" + contentType
                    + "' is no media type: give one like application/json or text/plain; charset=utf-8");
        }
        knownContentType = contentType;
    }

    /** What is wrong with a source, to be read after its name; null when it is a URI-reference. */
    static @Nullable String problemOf(String source) {
        try {
            new URI(source);
            return source.isEmpty() ? "is empty: give a URI-reference like /shop, or none" : null;
        } catch (URISyntaxException e) {
            return "'" + source + "' is no URI-reference (" + e.getReason() + " at character " + e.getIndex()
                    + "): give one like /shop or https://example.com/shop";
        }
    }
}
