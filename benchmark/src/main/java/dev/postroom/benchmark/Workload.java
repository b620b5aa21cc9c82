package dev.postroom.benchmark;

import dev.postroom.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Messages as a shop would write them: 300 bytes, many keys, one topic. */
final class Workload {
    static final int PAYLOAD_BYTES = 300;
    private static final int KEYS = 10_000;

    /** What a relay adds to each of them on the wire. */
    static final Map<String, String> ATTRIBUTES = Map.of(
            "specversion", "1.0",
            "id", "01934f7e-6d1c-7b3a-9d55-0a1b2c3d4e5f",
            "source", "/postroom",
            "type", "bench.orders",
            "time", "2026-01-01T12:00:00.123456Z",
            "subject", "order-1234",
            "datacontenttype", "application/octet-stream");

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
