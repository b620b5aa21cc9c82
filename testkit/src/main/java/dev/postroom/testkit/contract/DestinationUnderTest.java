package dev.postroom.testkit.contract;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Transport;
import io.cloudevents.CloudEvent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real destination of one test's own, and the transport that leads to it. Methods that change the destination return
 * when the change is done there; the transport may notice later.
 */
public interface DestinationUnderTest extends AutoCloseable {

    /** The transport under test, always the same; {@link TransportContract} closes it. */
    Transport transport();

    /** A topic that the destination takes. */
    String topic();

    /** What has arrived so far, in the order of arrival, as the official CloudEvents reader reads it. */
    List<Received> received();

    /** Something secret that the transport was configured with, or null when there is no such thing. */
    @Nullable
    String secret();

    /** Cannot be reached any more: what was under way is cut off, and new connections are refused. */
    void goDown();

    /** Can be reached again, with all that it had. */
    void comeBack();

    /** Does not answer any more, without cutting anything off. */
    void fallSilent();

    /** Answers again, also what it left unanswered, if it still can. */
    void answerAgain();

    /** A message that cannot be sent or is refused for itself, for good. */
    Delivery refused();

    /** A message that is just too large, for good. */
    Delivery tooLarge();

    /** Text that is hard to carry, for key and tenant. */
    default String exoticText() {
        return "Zürich, 100 % \"€\" 😀";
    }

    /** Ends the destination; the transport was closed before. */
    @Override
    void close();

    /**
     * One message that arrived.
     *
     * @param event with the body as it came
     * @param headers the protocol's headers as text, without those that are part of the event
     * @param contentEncoding the protocol's own, or null
     */
    record Received(
            CloudEvent event,
            Map<String, String> headers,
            @Nullable String contentEncoding) {}
}
