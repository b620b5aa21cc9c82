package dev.postroom.transport.cloudevents;

import java.time.Instant;

/**
 * Writes times as {@link Instant#toString()} does, which is RFC 3339. Messages come by the thousand from the same second, so
 * that the calendar is asked once for all of them. Thread-safe.
 */
final class EventTime {
    private static final int MILLI = 1_000_000;
    private static final int MICRO = 1_000;

    /** Immutable, so that a race costs a calculation and nothing else. */
    private Second last = Second.of(0);

    private record Second(long number, String text) {
        static Second of(long number) {
            String whole = Instant.ofEpochSecond(number).toString();
            return new Second(number, whole.substring(0, whole.length() - 1));
        }
    }

    String text(Instant time) {
        Second second = last;
        if (second.number() != time.getEpochSecond()) {
            second = Second.of(time.getEpochSecond());
            last = second;
        }
        int nanos = time.getNano();
        if (nanos == 0) {
            return second.text() + "Z";
        }
        StringBuilder text = new StringBuilder(32).append(second.text()).append('.');
        if (nanos % MILLI == 0) {
            digits(text, nanos / MILLI, 3);
        } else if (nanos % MICRO == 0) {
            digits(text, nanos / MICRO, 6);
        } else {
            digits(text, nanos, 9);
        }
        return text.append('Z').toString();
    }

    private static void digits(StringBuilder text, int value, int width) {
        int start = text.length();
        text.setLength(start + width);
        int rest = value;
        for (int place = start + width - 1; place >= start; place--) {
            text.setCharAt(place, (char) ('0' + rest % 10));
            rest /= 10;
        }
    }
}
