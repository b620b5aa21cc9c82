package dev.postroom.http;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Outcome;
import dev.postroom.tls.TlsTrouble;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Optional;

/** What it means when there was no answer. */
final class Fault {
    private static final int LONGEST = 500;

    private Fault() {}

    /**
     * @param begun whether any of the request may have been sent
     * @param target the receiver, for people
     */
    static Outcome of(Throwable error, boolean begun, String target) {
        if (error instanceof DeliveryFailedException refused) {
            return Outcome.failed(refused.reason(), text(refused));
        }
        if (error instanceof RefusedAddressException) {
            return Outcome.unavailable(text(error));
        }
        if (error instanceof UnknownHostException) {
            return Outcome.unavailable(target + " cannot be found: there is no address for this host");
        }
        if (!begun || TlsTrouble.isHandshake(error)) {
            // Since TLS 1.3 a client hears after its first bytes that its certificate was missed: nobody took them.
            Optional<String> handshake = TlsTrouble.explain(error);
            if (handshake.isPresent()) {
                return Outcome.unavailable("there is no secure connection to " + target + ": " + cut(handshake.get()));
            }
        }
        if (begun) {
            return Outcome.interrupted("the connection to " + target + " broke before it answered: " + text(error));
        }
        if (error instanceof ConnectException || error instanceof java.io.IOException) {
            return Outcome.unavailable(target + " cannot be reached: " + text(error));
        }
        return Outcome.failed(FailureReason.UNKNOWN, text(error));
    }

    /** It could not even be turned into a request. An error may be this process's, such as want of memory: that is tried again. */
    static Outcome ofMessage(Throwable error) {
        if (error instanceof DeliveryFailedException refused) {
            return Outcome.failed(refused.reason(), text(refused));
        }
        FailureReason reason = error instanceof Error ? FailureReason.UNKNOWN : FailureReason.SERIALIZATION;
        return Outcome.failed(reason, "it cannot be turned into a request: " + text(error));
    }

    private static String text(Throwable error) {
        String message = error.getMessage();
        String text = message == null || message.isBlank() ? error.getClass().getSimpleName() : message;
        return cut(text);
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
