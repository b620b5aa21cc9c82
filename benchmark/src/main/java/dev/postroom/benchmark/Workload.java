package dev.postroom.benchmark;

import dev.postroom.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Messages as a shop would write them: 300 bytes, many keys, one topic. */
final class Workload {
    static final int PAYLOAD_BYTES = 300;
    private static final int KEYS = 10_000;

    private final SplittableRandom random;
    private final byte[] payload;

    Workload(long seed) {
        this.random = new SplittableRandom(seed);
        this.payload = new byte[PAYLOAD_BYTES];
        random.nextBytes(payload);
    }

    List<Message> batch(int size) {
        List<Message> messages = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            messages.add(Message.to("bench.orders")
                    .key("order-" + random.nextInt(KEYS))
                    .bytes("application/octet-stream", payload));
        }
        return messages;
    }
}
