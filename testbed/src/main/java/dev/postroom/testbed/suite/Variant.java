package dev.postroom.testbed.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What tests run on: a JDK, and versions of servers.
 *
 * @param label empty for the one that everything runs on
 * @param properties system properties that choose the versions
 * @param word only classes with this in their names or those of their packages, in lower case: those about the server
 */
record Variant(int number, String label, Path jdk, Map<String, String> properties, String word) {

    /**
     * Those beside the newest, by their names in the testbed's pom; the build fetches them when all tests are asked for. Those with
     * Debian in their names are packages of this Debian and of a later one, the only ones that compile plans.
     */
    private static final List<String> OTHER_POSTGRESQL = List.of("oldest", "15", "16", "17", "debian", "debian-17");

    private static final List<String> OTHER_MARIADB = List.of("oldest");

    private static final List<String> OTHER_KAFKA = List.of("oldest");

    /**
     * Beside the one of Debian's package; see {@link dev.postroom.testbed.RabbitMqBroker}. 4.0 counts deliveries otherwise
     * than the newest.
     */
    private static final List<String> OTHER_RABBITMQ = List.of("4", "4-quorum", "4.0-quorum", "debian-quorum");

    /** What always runs on a newer RabbitMQ too: the tests of what it drops and the old one does not. */
    private static final String ALSO_ON_NEWER_RABBITMQ = "quorumqueuetest";

    static List<Variant> of(Options options) {
        List<Variant> variants = new ArrayList<>();
        Path jdk = Path.of(System.getProperty("java.home"));
        variants.add(new Variant(0, "", jdk, Map.of(), ""));
        if (options.all()) {
            for (Path other : options.otherJdks()) {
                variants.add(new Variant(variants.size(), "JDK in " + other.getFileName(), other, Map.of(), ""));
            }
            for (String version : OTHER_POSTGRESQL) {
                variants.add(of(variants.size(), "PostgreSQL", version, jdk, "postgres"));
            }
            for (String version : OTHER_MARIADB) {
                variants.add(of(variants.size(), "MariaDB", version, jdk, "mariadb"));
            }
            for (String version : OTHER_KAFKA) {
                variants.add(of(variants.size(), "Kafka", version, jdk, "kafka"));
            }
            for (String version : OTHER_RABBITMQ) {
                variants.add(of(variants.size(), "RabbitMQ", version, jdk, "rabbitmq"));
            }
        } else {
            variants.add(of(variants.size(), "RabbitMQ", OTHER_RABBITMQ.get(0), jdk, ALSO_ON_NEWER_RABBITMQ));
        }
        return variants;
    }

    private static Variant of(int number, String server, String version, Path jdk, String word) {
        String property = "postroom.testbed." + server.toLowerCase(Locale.ROOT);
        return new Variant(number, server + " " + version, jdk, Map.of(property, version), word);
    }

    boolean isFirst() {
        return number == 0;
    }

    boolean wants(String type) {
        return word.isEmpty() || (type.toLowerCase(Locale.ROOT).contains(word) && !type.contains("Oldest"));
    }
}
