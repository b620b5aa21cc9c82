package dev.postroom.handler;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.Tracing;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which handler is for which type, and what its end means. Immutable. */
record HandlerTable(Map<String, Handler> byType, @Nullable Handler otherwise, Tracing tracing) {

    HandlerTable with(String type, Handler handler) {
        Map<String, Handler> more = new HashMap<>(byType);
        more.put(type, handler);
        return new HandlerTable(Map.copyOf(more), otherwise, tracing);
    }

    /** Decoded by this codec, where nobody has said by which one. */
    HandlerTable decodedBy(PayloadCodec codec) {
        Map<String, Handler> changed = new HashMap<>(byType);
        changed.replaceAll((type, handler) ->
                handler instanceof DecodingHandler<?> decoding ? decoding.byDefault(codec) : handler);
        return new HandlerTable(Map.copyOf(changed), otherwise, tracing);
    }

    HandlerTable otherwise(Handler handler) {
        return new HandlerTable(byType, handler, tracing);
    }

    HandlerTable traced(Tracing newTracing) {
        return new HandlerTable(byType, otherwise, Tracing.guarded(newTracing));
    }

    String describe() {
        String types = byType.isEmpty() ? "none" : String.join(", ", new TreeSet<>(byType.keySet()));
        return types + (otherwise == null ? "" : " and all others");
    }

    /** Runs the handler on this thread; never throws. */
    Outcome handle(Delivery delivery) {
        Handler handler = byType.getOrDefault(delivery.type(), otherwise);
        if (handler == null) {
            return Outcome.topicUnavailable(
                    "there is no handler for type '" + delivery.type() + "' (there are: " + describe() + ")");
        }
        if (System.nanoTime() >= delivery.deadlineNanos()) {
            return Outcome.notSent("no handler was free while the message's lane was known to be ours");
        }
        Tracing.Incoming incoming = new Tracing.Incoming(
                "postroom",
                delivery.topic(),
                "handlers",
                delivery.id().toString(),
                delivery.attempt(),
                delivery.headers());
        try (Tracing.Handling handling = tracing.handling(incoming)) {
            Outcome outcome = run(handler, delivery);
            if (outcome instanceof Outcome.Failed failed) {
                handling.failed(failed.reason().name(), failed.error());
            }
            return outcome;
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private static Outcome run(Handler handler, Delivery delivery) {
        try {
            handler.handle(PlainPayload.of(delivery));
            return Outcome.confirmed();
        } catch (DeliveryFailedException e) {
            return failed(e.reason(), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.interrupted("the handler was interrupted");
        } catch (Throwable e) { // whatever a handler throws, also an Error, must be answered
            return failed(FailureReason.HANDLER_EXCEPTION, e.toString());
        }
    }

    /** What a handler cannot reach concerns its own topic: other handlers may well go on. */
    private static Outcome failed(FailureReason reason, String error) {
        return reason == FailureReason.TRANSPORT_UNAVAILABLE
                ? Outcome.topicUnavailable(error)
                : Outcome.failed(reason, error);
    }
}
