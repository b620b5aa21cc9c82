package dev.postroom.handler;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import org.jspecify.annotations.Nullable;

/** Thrown by a {@link Handler} that knows why it failed; the reason decides what happens next. */
public final class DeliveryFailedException extends PostroomException {
    private static final long serialVersionUID = 1L;

    private final FailureReason reason;

    public DeliveryFailedException(FailureReason reason, String message) {
        this(reason, message, null);
    }

    public DeliveryFailedException(FailureReason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /**
     * Why it failed. {@link FailureReason#isPermanent() Permanent} reasons end the message's life;
     * {@link FailureReason#TRANSPORT_UNAVAILABLE} holds its topic and spends no attempt; any other is tried again.
     */
    public FailureReason reason() {
        return reason;
    }
}
