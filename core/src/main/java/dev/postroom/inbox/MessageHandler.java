package dev.postroom.inbox;

/** Handles what a consumer receives, once. May be called from several threads at once. */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Writes what follows from the message with the transaction's connection. What is committed afterwards is committed
     * together with the record that the message was handled.
     *
     * @throws dev.postroom.handler.DeliveryFailedException to say how it failed: a permanent reason makes it a dead letter
     *     at once, {@link dev.postroom.FailureReason#TRANSPORT_UNAVAILABLE} spends no attempt
     * @throws Exception anything else is a {@link dev.postroom.FailureReason#HANDLER_EXCEPTION}, and tried again
     */
    void handle(ReceivedMessage message, InboxTransaction tx) throws Exception;
}
