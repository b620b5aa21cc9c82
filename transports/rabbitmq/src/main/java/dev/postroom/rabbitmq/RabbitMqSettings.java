package dev.postroom.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurators;
import dev.postroom.PostroomException;
import dev.postroom.secrets.GuardedUrl;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.WireFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach RabbitMQ and what to send there. Immutable.
 *
 * @param exchange empty for the default exchange, which routes to the queue of that name
 * @param tls for amqps; the JVM's own when null
 * @param confirmTimeout after how long a message that is not confirmed is given up
 */
record RabbitMqSettings(
        URI uri,
        String exchange,
        Function<Delivery, String> routingKey,
        WireFormat format,
        @Nullable SSLContext tls,
        int channels,
        Duration confirmTimeout) {
    static final String DEFAULT_EXCHANGE = "postroom";
    /** Several, since a message that makes the broker close its channel takes the others on it along. */
    static final int DEFAULT_CHANNELS = 4;

    private static final int MOST_CHANNELS = 256;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int REPLY_MILLIS = 10_000;
    private static final int SHUTDOWN_MILLIS = 2_000;
    /** A peer that has gone without a word is noticed after two to three of these. */
    private static final int HEARTBEAT_SECONDS = 10;

    RabbitMqSettings {
        if (exchange.length() > 127) {
            throw new PostroomException(
                    "an exchange's name has at most 127 characters (was " + exchange.length() + "): change exchange");
        }
        if (exchange.isBlank() && !exchange.isEmpty()) {
            throw new PostroomException("an exchange's name is more than blanks (was '" + exchange
                    + "'): change exchange, or leave it empty for the default exchange");
        }
        if (channels < 1 || channels > MOST_CHANNELS) {
            throw new PostroomException("RabbitMQ is used with 1 to " + MOST_CHANNELS + " channels (was " + channels
                    + "): change channels");
        }
        if (confirmTimeout.toMillis() < 1) {
            throw new PostroomException(
                    "RabbitMQ needs at least 1 ms to confirm (was " + confirmTimeout + "): change confirmTimeout");
        }
    }

    static RabbitMqSettings at(String uri) {
        return new RabbitMqSettings(
                parse(uri),
                DEFAULT_EXCHANGE,
                Delivery::topic,
                WireFormat.DEFAULT,
                null,
                DEFAULT_CHANNELS,
                Duration.ofSeconds(30));
    }

    RabbitMqSettings exchange(String newExchange) {
        return new RabbitMqSettings(uri, newExchange, routingKey, format, tls, channels, confirmTimeout);
    }

    RabbitMqSettings routingKey(Function<Delivery, String> key) {
        return new RabbitMqSettings(uri, exchange, key, format, tls, channels, confirmTimeout);
    }

    RabbitMqSettings format(WireFormat newFormat) {
        return new RabbitMqSettings(uri, exchange, routingKey, newFormat, tls, channels, confirmTimeout);
    }

    RabbitMqSettings tls(SSLContext context) {
        if (!isTls()) {
            throw new PostroomException(
                    "tls is set, but RabbitMQ's URI begins with amqp://, which is not encrypted: write"
                            + " amqps://, or remove tls");
        }
        return new RabbitMqSettings(uri, exchange, routingKey, format, context, channels, confirmTimeout);
    }

    RabbitMqSettings channels(int number) {
        return new RabbitMqSettings(uri, exchange, routingKey, format, tls, number, confirmTimeout);
    }

    RabbitMqSettings confirmTimeout(Duration timeout) {
        return new RabbitMqSettings(uri, exchange, routingKey, format, tls, channels, timeout);
    }

    /** Errors never show the URI: it may hold a password, however wrong the rest is. */
    private static URI parse(String text) {
        String wanted = "; expected amqp://user:password@host:5672/virtual-host, or amqps://…";
        try {
            URI uri = new URI(text.strip());
            if (!"amqp".equals(uri.getScheme()) && !"amqps".equals(uri.getScheme())) {
                throw new PostroomException("RabbitMQ's URI does not begin with amqp:// or amqps://" + wanted);
            }
            if (uri.getHost() == null) {
                throw new PostroomException("RabbitMQ's URI has no host" + wanted);
            }
            // With a slash in its password, a URI names something else as host, and the rest would be shown as path.
            if (text.indexOf(
                            '@',
                            text.indexOf(uri.getRawAuthority())
                                    + uri.getRawAuthority().length())
                    >= 0) {
                throw new PostroomException(
                        "RabbitMQ's URI has an '@' behind its host: in user, password and virtual host,"
                                + " write %40 for '@', %2F for '/', %3F for '?' and %23 for '#'" + wanted);
            }
            factory(uri);
            return uri;
        } catch (URISyntaxException e) {
            throw new PostroomException("RabbitMQ's URI cannot be read: " + e.getReason() + wanted);
        }
    }

    boolean isTls() {
        return "amqps".equals(uri.getScheme());
    }

    Secrets secrets() {
        return GuardedUrl.of(uri.toString()).secrets();
    }

    /** Where to, without user, password and parameters. */
    String address() {
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return uri.getScheme() + "://" + uri.getHost() + port + path;
    }

    String virtualHost() {
        return factory(uri).getVirtualHost();
    }

    /** A factory for one connection over this wire. */
    ConnectionFactory factory(Wire wire) throws GeneralSecurityException {
        ConnectionFactory factory = factory(uri);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setConnectionTimeout(CONNECT_MILLIS);
        factory.setHandshakeTimeout(REPLY_MILLIS);
        factory.setChannelRpcTimeout(REPLY_MILLIS);
        factory.setShutdownTimeout(SHUTDOWN_MILLIS);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setExceptionHandler(new QuietExceptions());
        factory.setThreadFactory(threads());
        factory.setSocketConfigurator(SocketConfigurators.defaultConfigurator().andThen(wire::use));
        if (isTls()) {
            // The library's own default for amqps trusts every certificate.
            factory.useSslProtocol(tls == null ? SSLContext.getDefault() : tls);
            factory.enableHostnameVerification();
        }
        return factory;
    }

    private static ConnectionFactory factory(URI uri) {
        try {
            // As amqp, because for amqps the library sets up a TLS that trusts everybody.
            boolean tls = "amqps".equals(uri.getScheme());
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(tls ? new URI("amqp" + uri.toString().substring("amqps".length())) : uri);
            if (tls && uri.getPort() < 0) {
                factory.setPort(ConnectionFactory.DEFAULT_AMQP_OVER_SSL_PORT);
            }
            return factory;
        } catch (GeneralSecurityException | URISyntaxException | IllegalArgumentException e) {
            throw new PostroomException("RabbitMQ's URI cannot be used: it is no AMQP URI (the virtual host is one name"
                    + " after the host, with %2F for a slash in it)");
        }
    }

    private static ThreadFactory threads() {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, "postroom-rabbitmq-connection-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
