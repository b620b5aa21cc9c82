package dev.postroom.benchmark;

import dev.postroom.spi.Transport;
import java.util.Map;

/** A broker to deliver to, and to measure without us. */
interface Broker extends AutoCloseable {
    /** A transport to it, new each time. */
    Transport transport();

    /**
     * Its own client.
     *
     * @param attributes of the event, which a relay sends as headers; none for the payload alone
     */
    BareClient bareClient(Map<String, String> attributes) throws Exception;

    /** How many arrived since the last time; forgets them. */
    long takeArrived() throws Exception;

    @Override
    void close() throws Exception;
}
