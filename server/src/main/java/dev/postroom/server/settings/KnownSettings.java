package dev.postroom.server.settings;

import dev.postroom.server.text.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every setting there is; what is not here is a mistake. */
final class KnownSettings {
    static final String PREFIX = "postroom.";

    private static final List<Setting> ALL = List.copyOf(new KnownSettings().catalogue);

    private final List<Setting> catalogue = new ArrayList<>();

    private KnownSettings() {
        add(Kind.TEXT, "database.url", "database.username", "database.schema", "database.table-prefix");
        addSecret("database.password");
        add(Kind.DURATION, "database.wait");
        add(Kind.FLAG, "database.allow-scripts");

        add(Kind.FLAG, "relay.enabled");
        add(
                Kind.DURATION,
                "relay.lease",
                "relay.poll-min",
                "relay.poll-max",
                "relay.routing-delay",
                "relay.stop-timeout");
        add(Kind.COUNT, "relay.batch-size", "relay.max-in-flight", "relay.max-crashes");
        add(Kind.BYTES, "relay.max-in-flight-bytes");
        addRetry("retry.");
        add(Kind.COUNT, "retry.error-length");

        add(Kind.BYTES, "limits.payload-bytes", "limits.header-bytes", "compression.threshold");
        add(Kind.COUNT, "limits.headers", "limits.topic-length", "limits.key-length");

        add(Kind.COUNT, "health.backlog.degraded", "health.backlog.down");
        add(Kind.DURATION, "health.oldest-age.degraded", "health.oldest-age.down");
        add(Kind.RATIO, "health.failed-ratio.degraded", "health.failed-ratio.down");
        add(Kind.DURATION, "health.stuck-after.degraded", "health.stuck-after.down");

        add(Kind.TEXT, "redact.headers", "redact.json-paths");

        add(Kind.DURATION_OR_NONE, "retention");
        add(Kind.DURATION, "dedup-window", "audit.retention");

        addChoice("destinations.NAME.type", "rabbitmq", "kafka", "http", "log");
        // The URL of a webhook often carries a token in its path.
        addSecret("destinations.NAME.uri", "destinations.NAME.url", "destinations.NAME.secret");
        addSecret("destinations.NAME.secrets[n]");
        addSecret("destinations.NAME.properties.*");
        // Empty is the broker's default exchange.
        add(Kind.ANY_TEXT, "destinations.NAME.exchange");
        add(Kind.TEXT, "destinations.NAME.routing-key");
        addChoice("destinations.NAME.content-mode", "binary", "structured");
        addChoice("destinations.NAME.compression", "plain", "keep");
        add(Kind.TEXT, "destinations.NAME.bootstrap-servers", "destinations.NAME.topic");
        add(Kind.FLAG, "destinations.NAME.allow-private-addresses");
        add(
                Kind.TEXT,
                "destinations.NAME.tls.authorities",
                "destinations.NAME.tls.certificate",
                "destinations.NAME.tls.private-key");
        add(Kind.COUNT, "destinations.NAME.rate");
        add(Kind.COUNT_OR_NONE, "destinations.NAME.breaker.failures-in-a-row");
        add(Kind.DURATION, "destinations.NAME.timeout", "destinations.NAME.breaker.probe-interval");

        add(Kind.TEXT, "routes[n].topic", "routes[n].destinations");
        addChoice("routes[n].on-failure", "block", "skip");
        add(Kind.DURATION, "routes[n].expire-after");
        addRetry("routes[n].retry.");

        add(Kind.TEXT, "admin.address", "admin.users[n].name");
        add(Kind.PORT, "admin.port");
        add(Kind.FLAG, "admin.enabled");
        add(Kind.DURATION, "admin.statement-timeout", "admin.session-max-age");
        add(Kind.TEXT, "admin.trusted-proxies", "admin.proxy-user-header", "admin.proxy-groups-header");
        add(Kind.TEXT, "admin.proxy-tenants-header", "admin.viewer-groups", "admin.operator-groups");
        add(Kind.TEXT, "admin.reveal-groups", "admin.all-tenants-groups");
        add(Kind.TEXT, "admin.oidc.issuer", "admin.oidc.client-id", "admin.oidc.scopes");
        addSecret("admin.oidc.client-secret");
        add(Kind.TEXT, "admin.oidc.user-claim", "admin.oidc.groups-claim", "admin.oidc.tenants-claim");
        add(Kind.TEXT, "admin.oidc.viewer-groups", "admin.oidc.operator-groups");
        add(Kind.TEXT, "admin.oidc.reveal-groups", "admin.oidc.all-tenants-groups");
        add(Kind.TEXT, "admin.tls.certificate", "admin.tls.private-key");
        addSecret("admin.users[n].password");
        addChoice("admin.users[n].role", "viewer", "operator");
        add(Kind.TEXT, "admin.users[n].tenants");
        addChoice("admin.users[n].permissions", "reveal");
    }

    private void addRetry(String prefix) {
        add(Kind.DURATION, prefix + "base", prefix + "cap");
        add(Kind.FACTOR, prefix + "multiplier");
        add(Kind.RATIO, prefix + "jitter");
        add(Kind.COUNT, prefix + "max-attempts");
        addChoice(prefix + "preset", "quick", "patient", "fixed", "jittered");
    }

    private void add(Kind kind, String... keys) {
        for (String key : keys) {
            catalogue.add(new Setting(PREFIX + key, kind, List.of(), false));
        }
    }

    private void addSecret(String... keys) {
        for (String key : keys) {
            catalogue.add(new Setting(PREFIX + key, Kind.ANY_TEXT, List.of(), true));
        }
    }

    private void addChoice(String key, String... choices) {
        catalogue.add(new Setting(PREFIX + key, Kind.TEXT, List.of(choices), false));
    }

    static Optional<Setting> find(String key) {
        return ALL.stream().filter(setting -> setting.matches(key)).findFirst();
    }

    static List<Setting> all() {
        return ALL;
    }

    /** Whether a setting's key has this part, so that it tells nothing. */
    static boolean isWord(String part) {
        return ALL.stream()
                .anyMatch(setting -> List.of(setting.pattern().split("\\.", -1)).contains(part));
    }

    /** The error for a key that is none of these. */
    static String unknown(String key, String origin) {
        List<String> candidates =
                ALL.stream().map(setting -> setting.resembling(key)).toList();
        String hint = Nearest.hint(key, candidates);
        for (Setting secret : ALL) {
            int end = secret.secret() ? secret.endIn(key) : -1;
            if (end >= 0) {
                return key.substring(0, end) + " must be a text, and has settings below it: put it in quotes (" + origin
                        + ")";
            }
        }
        return key + " is not a setting" + (hint.isEmpty() ? ": remove it" : hint) + " (" + origin + ")";
    }
}
