package dev.postroom.http;

import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What fuzzing needs of this package, to which it is closed otherwise. */
public final class WebhookForm {
    private WebhookForm() {}

    /** The headers of a request, signed when there is a secret. */
    public static Map<String, String> headers(
            Delivery delivery, ContentMode mode, @Nullable String secret, Instant now) {
        List<WebhookSecret> secrets = secret == null ? List.of() : List.of(WebhookSecret.of(secret));
        return WebhookRequest.of(delivery, WireFormat.DEFAULT.mode(mode), secrets, now)
                .headers();
    }

    public static @Nullable Duration retryAfter(String header, Instant now) {
        return RetryAfter.of(header, now);
    }
}
