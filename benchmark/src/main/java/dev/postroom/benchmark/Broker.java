package dev.postroom.benchmark;

import dev.postroom.spi.Transport;
import java.util.Map;

/** A broker to deliver to, and to measure without us. */
interface Broker extends AutoCloseable {
    /** What the bare client may have outstanding. */
    int WINDOW = 4_096;

    /** A transport to it, new each time. */
    Transport transport();

    /**
     * Messages per second that its own client publishes and has confirmed, as fast as it can, with nothing around.
     *
     * @param attributes of the event, which a relay sends as headers; none for the payload alone
     */
    double barePublish(int messages, byte[] payload, Map<String, String> attributes) throws Exception;

    /** How many arrived since the last time; forgets them. */
    long takeArrived() throws Exception;

    @Override
    void close() throws Exception;
}
