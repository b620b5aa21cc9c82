package dev.postroom.testbed;

import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ. When the environment variable {@value #VARIABLE} holds the URI of a server, such as
 * {@code amqp://user:password@host:5672}, {@link #shared} is that one; tests keep to exchanges and queues of their own.
 *
 * <p>Safe for use by several threads. A broker ends with the JVM, also with one that is killed.
 */
public final class RabbitMqBroker implements AutoCloseable {
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

    private final URI uri;
    private final @Nullable RabbitMqProcess process;

    private RabbitMqBroker(URI uri, @Nullable RabbitMqProcess process) {
        this.uri = uri;
        this.process = process;
    }

    /** The one for all tests that do not end it or change how it works; started at the first call in this JVM. */
    public static RabbitMqBroker shared() {
        return Shared.BROKER.get();
    }

    /** One of the caller's own, who closes it. */
    public static RabbitMqBroker start() {
        return start("");
    }

    /** One of the caller's own, with more lines of rabbitmq.conf; {@code TLS_PORT} there is {@link #tlsPort}. */
    public static RabbitMqBroker start(String configuration) {
        try {
            RabbitMqPrograms.require();
            RabbitMqProcess process = new RabbitMqProcess(CONFIGURATION + configuration);
            process.start();
            return new RabbitMqBroker(
                    URI.create("amqp://" + USER + ":" + PASSWORD + "@127.0.0.1:" + process.port()), process);
        } catch (IOException e) {
            throw new TestbedException(
                    "RabbitMQ did not start (" + e.getMessage() + "): or set " + VARIABLE
                            + " to the URI of a running server, amqp://user:password@host:port",
                    e);
        }
    }

    private static RabbitMqBroker sharedOrGiven() {
        String given = System.getenv(VARIABLE);
        return given == null || given.isBlank() ? start() : given(given.strip());
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
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return "amqp://" + uri.getRawUserInfo() + "@127.0.0.1:" + port + path;
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
            throw new TestbedException("the server of " + VARIABLE + " is not ours: start one for this test", null);
        }
        return process;
    }

    @Override
    public void close() {
        process().remove();
    }

    private static final class Shared {
        static final Started<RabbitMqBroker> BROKER = new Started<>(RabbitMqBroker::sharedOrGiven);
    }
}
