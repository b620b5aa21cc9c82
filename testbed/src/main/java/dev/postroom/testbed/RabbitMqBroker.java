package dev.postroom.testbed;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ: the version of Debian's package, or the one that the system property {@value #VERSION} names, such as 4. With
 * {@code -quorum} behind it, as in 4-quorum or debian-quorum, queues are quorum queues unless they are declared as others.
 *
 * <p>When the environment variable {@value #VARIABLE} holds the URI of a server, such as
 * {@code amqp://user:password@host:5672}, and no version is named, {@link #shared} is that one; tests keep to exchanges and
 * queues of their own.
 *
 * <p>Safe for use by several threads. A broker ends with the JVM, also with one that is killed.
 */
public final class RabbitMqBroker implements AutoCloseable {
    /** The system property that names the first numbers of a version, and the default type of queues. */
    public static final String VERSION = "postroom.testbed.rabbitmq";

    static final String NAME = "rabbitmq";
    static final String VARIABLE = "POSTROOM_TEST_RABBITMQ";

    private static final String USER = "postroom";
    private static final String PASSWORD = "pass-1f9c";
    private static final String CONFIGURATION = """
            loopback_users = none
            default_user = %s
            default_pass = %s
            disk_free_limit.absolute = 1MB
            log.file.level = info
            """.formatted(USER, PASSWORD);

    private static final Map<String, Started<RabbitMqBroker>> SHARED = new ConcurrentHashMap<>();

    private final URI uri;
    private final @Nullable RabbitMqProcess process;

    private RabbitMqBroker(URI uri, @Nullable RabbitMqProcess process) {
        this.uri = uri;
        this.process = process;
    }

    /** The one for all tests that do not end it or change how it works; started at the first call in this JVM or run. */
    public static RabbitMqBroker shared() {
        return shared(version());
    }

    static RabbitMqBroker shared(String version) {
        return SHARED.computeIfAbsent(version, name -> new Started<>(() -> sharedOrGiven(name)))
                .get();
    }

    private static String version() {
        return System.getProperty(VERSION, RabbitMqPrograms.DEBIANS_OWN);
    }

    /**
     * Fetches a version if that has not been done before, and gives all of its numbers, such as 4.0.5.
     *
     * @throws IOException when it cannot be had here, with the reason
     */
    public static String prepare(String version) throws IOException {
        return RabbitMqPrograms.of(RabbitMqVersion.parse(version).programs()).version();
    }

    /** One of the caller's own, who closes it. */
    public static RabbitMqBroker start() {
        return start("");
    }

    /** One of the caller's own, with more lines of rabbitmq.conf; {@code TLS_PORT} there is {@link #tlsPort}. */
    public static RabbitMqBroker start(String configuration) {
        return start(version(), configuration);
    }

    private static RabbitMqBroker start(String name, String configuration) {
        RabbitMqVersion version = RabbitMqVersion.parse(name);
        try {
            RabbitMqProcess process =
                    new RabbitMqProcess(RabbitMqPrograms.of(version.programs()), CONFIGURATION + configuration);
            process.start();
            if (version.quorum()) {
                String host = version.path().substring(1);
                process.control("add_vhost", host, "--default-queue-type", "quorum");
                process.control("set_permissions", "-p", host, USER, ".*", ".*", ".*");
            }
            return new RabbitMqBroker(
                    URI.create("amqp://" + USER + ":" + PASSWORD + "@127.0.0.1:" + process.port() + version.path()),
                    process);
        } catch (IOException e) {
            throw new TestbedException(
                    "RabbitMQ did not start (" + e.getMessage() + "): or set " + VARIABLE
                            + " to the URI of a running server, amqp://user:password@host:port",
                    e);
        }
    }

    private static RabbitMqBroker sharedOrGiven(String version) {
        String given = System.getenv(VARIABLE);
        if (given != null && !given.isBlank() && version.equals(RabbitMqPrograms.DEBIANS_OWN)) {
            return given(given.strip());
        }
        String address = SharedServers.address(NAME + " " + version);
        return address == null ? start(version, "") : given(address);
    }

    static RabbitMqBroker given(String text) {
        URI uri = URI.create(text);
        if (!"amqp".equals(uri.getScheme()) || uri.getHost() == null || uri.getRawUserInfo() == null) {
            throw new TestbedException(VARIABLE + " must be like amqp://user:password@host:port", null);
        }
        return new RabbitMqBroker(uri, null);
    }

    /** With user and password. */
    public String uri() {
        return uri.toString();
    }

    /** The same server, reached at another address, such as a proxy's. */
    public String uriAt(int port) {
        return "amqp://" + uri.getRawUserInfo() + "@127.0.0.1:" + port + path();
    }

    /** The end of its URI, which names the virtual host; empty for the default one. */
    public String path() {
        return uri.getRawPath() == null ? "" : uri.getRawPath();
    }

    /** The name of the virtual host. */
    public String virtualHost() {
        return path().length() <= 1 ? "/" : uri.getPath().substring(1);
    }

    public String host() {
        return Objects.requireNonNull(uri.getHost());
    }

    public int port() {
        return uri.getPort() < 0 ? 5672 : uri.getPort();
    }

    /** A port that is kept free for a listener with TLS. */
    public int tlsPort() {
        return process().tlsPort();
    }

    /** The password in the URI. */
    public String password() {
        String user = Objects.requireNonNull(uri.getUserInfo());
        return user.substring(user.indexOf(':') + 1);
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
            throw new TestbedException("RabbitMQ did not start again", e);
        }
    }

    /** Makes it think that its memory is used up: it blocks connections that publish. */
    public void raiseMemoryAlarm() {
        control("set_vm_memory_high_watermark", "0.000001");
    }

    public void liftMemoryAlarm() {
        control("set_vm_memory_high_watermark", "0.4");
    }

    /** Runs rabbitmqctl with these arguments and gives what it printed. */
    public String control(String... arguments) {
        try {
            return process().control(arguments);
        } catch (IOException e) {
            throw new TestbedException(String.valueOf(e.getMessage()), e);
        }
    }

    private RabbitMqProcess process() {
        if (process == null) {
            throw new TestbedException(
                    "this broker is shared, or given by " + VARIABLE + ": start one for this test", null);
        }
        return process;
    }

    @Override
    public void close() {
        process().remove();
    }
}
