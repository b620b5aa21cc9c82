package dev.postroom.spi;

import dev.postroom.PostroomException;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Turns objects into payloads and back. Which class to decode into is always the caller's choice, never that of a
 * message. Thread-safe.
 */
public interface PayloadCodec {

    /**
     * The one on the class path, such as that of {@code postroom-json} or {@code postroom-json3}; empty when there is none.
     *
     * @throws PostroomException when there are several: what is stored must not depend on the order of the class path
     */
    static Optional<PayloadCodec> onTheClassPath() {
        List<PayloadCodec> found = ServiceLoader.load(PayloadCodec.class, PayloadCodec.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        if (found.size() > 1) {
            throw new PostroomException("there are several codecs on the class path, "
                    + found.get(0).getClass().getName() + " and "
                    + found.get(1).getClass().getName()
                    + ": remove one of their modules, or say with codec which one writes and reads your messages");
        }
        return found.stream().findFirst();
    }

    /** The media type of what {@link #encode} gives. */
    String contentType();

    /** May throw anything; the message is then rejected with that cause. */
    byte[] encode(Object value);

    /** May throw anything; the message is then rejected with that cause. */
    <T> T decode(byte[] payload, Class<T> type);
}
