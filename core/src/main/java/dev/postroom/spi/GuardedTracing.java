package dev.postroom.spi;

import dev.postroom.Message;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what goes wrong with a trace away from the message. Thread-safe. */
final class GuardedTracing implements Tracing {
    private static final Logger LOG = LoggerFactory.getLogger(Tracing.class);

    private final Tracing tracing;
    private volatile boolean complained;

    GuardedTracing(Tracing tracing) {
        this.tracing = tracing;
    }

    @Override
    public Map<String, String> publishing(Message message) {
        return guard(() -> tracing.publishing(message), Map.of());
    }

    @Override
    public Sending sending(Delivery delivery, String destination, Transport transport) {
        Sending untraced = new Untraced(delivery);
        Sending sending = guard(() -> tracing.sending(delivery, destination, transport), untraced);
        Delivery traced = guard(sending::delivery, delivery);
        return new Sending() {
            @Override
            public Delivery delivery() {
                return traced;
            }

            @Override
            public void ended(Outcome outcome) {
                guard(() -> sending.ended(outcome));
            }
        };
    }

    @Override
    public Handling handling(Incoming message) {
        Handling handling = guard(() -> tracing.handling(message), Handling.NONE);
        return new Handling() {
            @Override
            public void failed(String reason, String error) {
                guard(() -> handling.failed(reason, error));
            }

            @Override
            public void close() {
                guard(handling::close);
            }
        };
    }

    private void guard(Runnable call) {
        guard(
                () -> {
                    call.run();
                    return true;
                },
                false);
    }

    private <T> T guard(Supplier<T> call, T otherwise) {
        try {
            return call.get();
        } catch (OutOfMemoryError e) { // says nothing about the tracing
            throw e;
        } catch (Throwable e) {
            if (!complained) {
                complained = true;
                LOG.warn(
                        "TRACING_FAIL tracing={} why=\"it throws, said once: messages go on without traces\"",
                        tracing,
                        e);
            }
            return otherwise;
        }
    }
}
