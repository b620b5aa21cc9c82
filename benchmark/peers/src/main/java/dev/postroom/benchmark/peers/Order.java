package dev.postroom.benchmark.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A message of a round.
 *
 * @param number from 0; which one it is
 * @param key orders it, where the system can
 * @param payload so many bytes of ASCII, its number first
 */
public record Order(int number, String key, String payload) {
    public static final int PAYLOAD_BYTES = 300;

    private static final int DIGITS = 10;
    private static final int KEYS = 10_000;
    private static final String FILLING =
            "{\"order\":\"0123456789abcdef\"} ".repeat(20).substring(0, PAYLOAD_BYTES - DIGITS);

    /** The same ones for everybody. */
    static List<Order> all(int count) {
        SplittableRandom random = new SplittableRandom(count);
        List<Order> orders = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String payload = String.format(Locale.ROOT, "%0" + DIGITS + "d", i) + FILLING;
            orders.add(new Order(i, "order-" + random.nextInt(KEYS), payload));
        }
        return orders;
    }

    static int numberOf(String payload) {
        return Integer.parseInt(payload, 0, DIGITS, 10);
    }
}
