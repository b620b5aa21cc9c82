package dev.postroom.http;

import dev.postroom.secrets.GuardedUrl;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages to a URL: one POST each, as a CloudEvent, signed as Standard Webhooks are. Each option returns a
 * changed webhook and leaves this one as it is. Thread-safe.
 *
 * <pre>{@code
 * Relay.on(dataSource).deliverTo(Webhook.to("https://example.com/hooks").secret("whsec_…")).start();
 * }</pre>
 */
public final class Webhook implements Transport {
    private final WebhookSettings settings;
    private @Nullable WebhookClient client;
    private boolean closed;

    private Webhook(WebhookSettings settings) {
        this.settings = settings;
    }

    /**
     * A webhook at this URL, unsigned as long as it has no secret.
     *
     * @throws dev.postroom.PostroomException when it is no URL of HTTP, or contains a password
     */
    public static Webhook to(String url) {
        return new Webhook(WebhookSettings.to(url));
    }

    /** Signs with this secret: {@code whsec_} and base64, or any text, whose UTF-8 bytes are the key then. */
    public Webhook secret(String secret) {
        return secrets(secret);
    }

    /** Signs with each of these, at most four: receivers accept any of them while they change from one to the other. */
    public Webhook secrets(String... secrets) {
        return new Webhook(
                settings.secrets(Arrays.stream(secrets).map(WebhookSecret::of).toList()));
    }

    /** From being sent to being answered; 15 s by default. */
    public Webhook timeout(Duration limit) {
        return new Webhook(settings.timeout(limit));
    }

    /**
     * Lets it connect to addresses that are not of the public Internet. For receivers in your own network; never for
     * URLs that others may choose.
     */
    public Webhook allowPrivateAddresses() {
        return new Webhook(settings.addresses(AddressRule.ANY));
    }

    /** How many requests may wait for their answer; 32 by default. */
    public Webhook maxConcurrent(int requests) {
        return new Webhook(settings.maxConcurrent(requests));
    }

    /** How events are put on the wire; {@link ContentMode#BINARY} by default. */
    public Webhook contentMode(ContentMode mode) {
        return new Webhook(settings.format(settings.format().mode(mode)));
    }

    /**
     * What becomes of payloads that the outbox has compressed; {@link Compression#PLAIN} by default.
     *
     * @throws dev.postroom.PostroomException when they are to stay compressed in structured mode
     */
    public Webhook compression(Compression compression) {
        return new Webhook(settings.format(settings.format().compression(compression)));
    }

    /** Trusts, and identifies itself, as this says instead of the JVM's default. */
    public Webhook tls(SSLContext context) {
        return new Webhook(settings.tls(context));
    }

    Webhook addresses(AddressRule rule) {
        return new Webhook(settings.addresses(rule));
    }

    Webhook lookup(HostLookup hosts) {
        return new Webhook(settings.lookup(hosts));
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        WebhookClient open = client();
        if (open == null) {
            outcome.accept(Outcome.notSent("the webhook is closed"));
        } else {
            open.send(delivery, outcome);
        }
    }

    private synchronized @Nullable WebhookClient client() {
        if (client != null && !client.isUsable()) {
            client.close();
            client = null;
        }
        if (client == null && !closed) {
            client = new WebhookClient(settings, InstantSource.system());
        }
        return closed ? null : client;
    }

    @Override
    public int capacity() {
        return settings.maxConcurrent();
    }

    /** Without path and query, which often carry a token. */
    @Override
    public Secrets secrets() {
        return GuardedUrl.of(settings.url().toString()).secrets();
    }

    @Override
    public String system() {
        return "http";
    }

    @Override
    public String description() {
        return "http " + settings.shownUrl();
    }

    /** Ends what is under way: what was not sent will not be, what was not answered may have arrived. */
    @Override
    public void close() {
        WebhookClient open;
        synchronized (this) {
            closed = true;
            open = client;
            client = null;
        }
        if (open != null) {
            open.close();
        }
    }
}
