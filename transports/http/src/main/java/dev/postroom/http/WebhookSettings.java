package dev.postroom.http;

import dev.postroom.PostroomException;
import dev.postroom.transport.cloudevents.WireFormat;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** How a webhook is called, checked. Immutable. */
record WebhookSettings(
        URI url,
        List<WebhookSecret> secrets,
        Duration timeout,
        int maxConcurrent,
        WireFormat format,
        AddressRule addresses,
        HostLookup lookup,
        @Nullable SSLContext tls) {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);
    private static final int DEFAULT_CONCURRENCY = 32;
    private static final int MOST_CONCURRENT = 1_000;
    private static final int MOST_SECRETS = 4;

    static WebhookSettings to(String url) {
        return new WebhookSettings(
                parsed(url),
                List.of(),
                DEFAULT_TIMEOUT,
                DEFAULT_CONCURRENCY,
                WireFormat.DEFAULT,
                AddressRule.PUBLIC,
                HostLookup.SYSTEM,
                null);
    }

    WebhookSettings secrets(List<WebhookSecret> all) {
        if (all.size() > MOST_SECRETS) {
            throw new PostroomException("a webhook has at most " + MOST_SECRETS + " secrets (was " + all.size()
                    + "): remove those that receivers no longer use");
        }
        return new WebhookSettings(url, List.copyOf(all), timeout, maxConcurrent, format, addresses, lookup, tls);
    }

    WebhookSettings timeout(Duration limit) {
        if (limit.toMillis() < 1 || limit.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new PostroomException(
                    "a webhook's timeout must be 1 ms to 10 min (was " + limit + "): change timeout");
        }
        return new WebhookSettings(url, secrets, limit, maxConcurrent, format, addresses, lookup, tls);
    }

    WebhookSettings maxConcurrent(int requests) {
        if (requests < 1 || requests > MOST_CONCURRENT) {
            throw new PostroomException("a webhook takes 1 to " + MOST_CONCURRENT + " requests at once (was " + requests
                    + "): change maxConcurrent");
        }
        return new WebhookSettings(url, secrets, timeout, requests, format, addresses, lookup, tls);
    }

    WebhookSettings format(WireFormat newFormat) {
        return new WebhookSettings(url, secrets, timeout, maxConcurrent, newFormat, addresses, lookup, tls);
    }

    WebhookSettings addresses(AddressRule rule) {
        return new WebhookSettings(url, secrets, timeout, maxConcurrent, format, rule, lookup, tls);
    }

    WebhookSettings lookup(HostLookup hosts) {
        return new WebhookSettings(url, secrets, timeout, maxConcurrent, format, addresses, hosts, tls);
    }

    WebhookSettings tls(SSLContext context) {
        if (!"https".equalsIgnoreCase(url.getScheme())) {
            throw new PostroomException(
                    "tls is set, but the webhook's url begins with http://, which is not encrypted: write"
                            + " https://, or remove tls");
        }
        return new WebhookSettings(url, secrets, timeout, maxConcurrent, format, addresses, lookup, context);
    }

    /** Without path and query, which often carry a token. */
    String shownUrl() {
        return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
    }

    /** No part of the URL is in the errors: it may carry a password. */
    private static URI parsed(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new PostroomException("a webhook's url is not a URL (" + e.getReason() + " at character "
                    + e.getIndex() + "): give one like https://example.com/hooks");
        }
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getHost() == null) {
            throw new PostroomException("a webhook's url must begin with https:// or http:// and name a host in ASCII"
                    + " letters: give one like https://example.com/hooks");
        }
        if (url.getRawUserInfo() != null) {
            throw new PostroomException("a webhook's url must not contain user and password: webhooks are authenticated"
                    + " by their signature, set secret");
        }
        if (url.getRawFragment() != null) {
            throw new PostroomException("a webhook's url must not contain a fragment: remove what follows the '#'");
        }
        return url;
    }
}
