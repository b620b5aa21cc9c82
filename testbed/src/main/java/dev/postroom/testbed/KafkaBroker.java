package dev.postroom.testbed;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Kafka: one broker, behind a network that can be made bad unless it is shared. It creates no topics by itself. When the environment variable
 * {@value #VARIABLE} holds the address of a broker, such as {@code host:9092}, {@link #shared} is that one; tests keep to
 * topics of their own.
 *
 * <p>Safe for use by several threads. A broker ends with the JVM, also with one that is killed.
 */
public final class KafkaBroker implements AutoCloseable {
    /** The system property that names the version: newest or oldest. */
    public static final String VERSION = "postroom.testbed.kafka";

    static final String NAME = "kafka";
    static final String VARIABLE = "POSTROOM_TEST_KAFKA";

    private static final String NEWEST = "newest";
    private static final Map<String, Started<KafkaBroker>> SHARED = new ConcurrentHashMap<>();

    private final String address;
    private final @Nullable KafkaProcess process;
    private final @Nullable TcpProxy network;

    private KafkaBroker(String address, @Nullable KafkaProcess process, @Nullable TcpProxy network) {
        this.address = address;
        this.process = process;
        this.network = network;
    }

    /** The one for all tests that do not end it and need no bad network; started at the first call. */
    public static KafkaBroker shared() {
        return shared(version());
    }

    static KafkaBroker shared(String version) {
        return SHARED.computeIfAbsent(version, name -> new Started<>(() -> sharedOrGiven(name)))
                .get();
    }

    private static String version() {
        return System.getProperty(VERSION, NEWEST);
    }

    /** One of the caller's own, who closes it. */
    public static KafkaBroker start() {
        return start("");
    }

    /** One of the caller's own, with more lines of configuration; with {@code ssl.keystore} lines it listens with TLS too. */
    public static KafkaBroker start(String configuration) {
        try {
            KafkaProcess process = new KafkaProcess(new ServerArchives().kafka(version(), VARIABLE));
            // Clients must come through the network, so the broker tells them its address there as its own.
            TcpProxy network = TcpProxy.to("127.0.0.1", process.port());
            process.install(network.port(), configuration);
            process.start();
            return new KafkaBroker("127.0.0.1:" + network.port(), process, network);
        } catch (IOException e) {
            throw new TestbedException(
                    "Kafka did not start (" + e.getMessage() + "): or set " + VARIABLE
                            + " to the address of a running broker, host:port",
                    e);
        }
    }

    /** One of the caller's own, reached directly: for whom every copy of a byte counts. */
    public static KafkaBroker startWithoutNetwork() {
        return startWithoutNetwork(version());
    }

    private static KafkaBroker startWithoutNetwork(String version) {
        try {
            KafkaProcess process = new KafkaProcess(new ServerArchives().kafka(version, VARIABLE));
            process.install(process.port(), "");
            process.start();
            return new KafkaBroker("127.0.0.1:" + process.port(), process, null);
        } catch (IOException e) {
            throw new TestbedException("Kafka did not start (" + e.getMessage() + ")", e);
        }
    }

    private static KafkaBroker sharedOrGiven(String version) {
        String given = System.getenv(VARIABLE);
        boolean isGiven = given != null && !given.isBlank() && version.equals(NEWEST);
        String address = isGiven ? given.strip() : SharedServers.address(NAME + " " + version);
        return address == null ? startWithoutNetwork(version) : new KafkaBroker(address, null, null);
    }

    /** Its bootstrap servers. */
    public String address() {
        return address;
    }

    /** Its bootstrap servers for clients that speak TLS, reached directly. */
    public String tlsAddress() {
        return "127.0.0.1:" + process().tlsPort();
    }

    /** What lies between it and its clients. */
    public TcpProxy network() {
        return Objects.requireNonNull(
                network, "this broker is shared, or given by " + VARIABLE + ": start one for this test");
    }

    /** Ends it in an orderly way. */
    public void stop() {
        process().end(true);
    }

    /** Ends it as a crash would. */
    public void kill() {
        process().end(false);
    }

    /** Starts it again on its data and port. */
    public void restart() {
        try {
            process().start();
        } catch (IOException e) {
            throw new TestbedException("Kafka did not start again", e);
        }
    }

    private KafkaProcess process() {
        return Objects.requireNonNull(
                process, "this broker is shared, or given by " + VARIABLE + ": start one for this test");
    }

    @Override
    public void close() {
        process().remove();
        if (network != null) {
            network.close();
        }
    }
}
