package dev.postroom.rabbitmq;

import com.rabbitmq.client.Connection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which RabbitMQ this is, by what it says of itself; 0.0 when that cannot be read. */
record BrokerVersion(int major, int minor) {
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*", Pattern.DOTALL);

    static BrokerVersion of(Connection connection) {
        return parse(String.valueOf(connection.getServerProperties().get("version")));
    }

    static BrokerVersion parse(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        return numbers.matches()
                ? new BrokerVersion(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : new BrokerVersion(0, 0);
    }

    boolean isAtLeast(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }

    /**
     * Whether a message that is put back with basic.nack counts as no delivery in vain. Before 4.3 it counts, and in a quorum
     * queue of 3.x it would go behind all others; what goes back with its channel keeps its place.
     */
    boolean forgivesNack() {
        return isAtLeast(4, 3);
    }

    /** Whether a queue ends a consumer that has kept a message for too long. Before, the broker ends its channel. */
    boolean cancelsSlowConsumers() {
        return isAtLeast(4, 3);
    }
}
