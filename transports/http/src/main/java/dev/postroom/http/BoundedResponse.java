package dev.postroom.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads a response: the status, and of the body as much as an error is to show. The rest is read and forgotten, so that the
 * connection can be used again, but not for ever: a body beyond the limit costs the connection.
 */
final class BoundedResponse implements AsyncResponseConsumer<Void> {
    private static final int SHOWN = 500;
    private static final int LONGEST = 64 * 1024;

    private final Exchange exchange;
    private final InstantSource clock;
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private int length;
    private @Nullable FutureCallback<Void> end;

    BoundedResponse(Exchange exchange, InstantSource clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    @Override
    public void consumeResponse(
            HttpResponse response, @Nullable EntityDetails body, HttpContext context, FutureCallback<Void> callback) {
        Header retryAfter = response.getFirstHeader("retry-after");
        exchange.answered(new Answer(
                response.getCode(), RetryAfter.of(retryAfter == null ? null : retryAfter.getValue(), clock.instant())));
        if (body == null) {
            callback.completed(null);
        } else {
            end = callback;
        }
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {}

    @Override
    public void updateCapacity(CapacityChannel capacity) throws IOException {
        capacity.update(LONGEST);
    }

    @Override
    public void consume(ByteBuffer bytes) throws IOException {
        length += bytes.remaining();
        while (bytes.hasRemaining() && beginning.size() < SHOWN) {
            beginning.write(bytes.get());
        }
        bytes.position(bytes.limit());
        exchange.said(printable(beginning.toString(StandardCharsets.UTF_8)));
        if (length > LONGEST) {
            throw new IOException("the response has more than " + LONGEST + " bytes");
        }
    }

    private static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
        return clean.toString().strip();
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        if (end != null) {
            end.completed(null);
        }
    }

    @Override
    public void failed(Exception cause) {
        // The exchange hears of it through its callback.
    }

    @Override
    public void releaseResources() {}
}
