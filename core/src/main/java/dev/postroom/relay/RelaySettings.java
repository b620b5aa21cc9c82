package dev.postroom.relay;

import dev.postroom.PostroomException;
import dev.postroom.engine.BreakerSettings;
import dev.postroom.engine.EngineBounds;
import dev.postroom.engine.EngineSettings;
import dev.postroom.outbox.Limits;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a builder has been told so far, and the defaults. For one thread. */
final class RelaySettings {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private static final Duration USUAL_ROUTING_DELAY = Duration.ofSeconds(30);

    String name = "relay";
    TableNames names = TableNames.DEFAULT;

    @Nullable
    DataSource keeperDataSource;

    final List<Destination> destinations = new ArrayList<>();
    final List<Route> routes = new ArrayList<>();
    RetryPolicy retry = RetryPolicy.DEFAULT;
    Duration lease = Duration.ofSeconds(10);
    int batchSize = 500;
    Duration pollMin = Duration.ofMillis(50);
    Duration pollMax = Duration.ofSeconds(1);
    int maxInFlight = 8_192;
    long maxInFlightBytes = 64L << 20;
    Limits limits = Limits.DEFAULT;
    int maxCrashes = 3;
    int errorLength = 2_000;
    /** Null when nobody has said: as long as {@link #USUAL_ROUTING_DELAY}, or longer where the lease needs it. */
    @Nullable
    Duration routingDelay;

    Duration stopTimeout = Duration.ofSeconds(20);
    Duration summaryInterval = Duration.ofMinutes(1);

    @Nullable
    Duration retention = Retention.DEFAULT_ARCHIVE;

    Duration inboxRetention = Retention.DEFAULT_INBOX;
    Duration auditRetention = Retention.DEFAULT_AUDIT;
    final List<RelayListener> listeners = new ArrayList<>();
    Tracing tracing = Tracing.NONE;

    /** Checks everything, then connects. */
    RelayPlan plan(DataSource dataSource) {
        if (!NAME.matcher(name).matches()) {
            throw new PostroomException(
                    "a relay's name must be 1 to 63 letters, digits, '.', '_' or '-' (was '" + name + "'): change it");
        }
        requirePositive(stopTimeout, "the stop timeout", "postroom.relay.stop-timeout");
        requirePositive(summaryInterval, "the interval of summaries", "summaryEvery");
        Routing routing = new Routing(destinations, routes, retry);
        Conduct conduct = new Conduct(
                name,
                stopTimeout,
                summaryInterval,
                new Retention(retention, inboxRetention, auditRetention),
                List.copyOf(listeners),
                Tracing.guarded(tracing));
        EngineSettings template = engineSettings(name, routing.breakers()::get);
        DataSource forKeeper = keeperDataSource == null ? dataSource : keeperDataSource;
        RelayDatabase database = RelayDatabase.open(dataSource, forKeeper, names, template.lease());
        return new RelayPlan(conduct, database, routing, template, database.destinations(routing.names()));
    }

    private EngineSettings engineSettings(String owner, Function<String, BreakerSettings> breakers) {
        String version = RelaySettings.class.getPackage().getImplementationVersion();
        return new EngineSettings(
                owner,
                host(),
                version == null ? "unreleased" : version,
                lease,
                batchSize,
                pollMin,
                pollMax,
                maxInFlight,
                maxInFlightBytes,
                new RowLimits(limits.payloadBytes(), limits.headers(), limits.headerBytes()),
                maxCrashes,
                errorLength,
                retention != null,
                routingDelay == null ? usualRoutingDelay() : routingDelay,
                breakers,
                EngineBounds.DEFAULT);
    }

    private Duration usualRoutingDelay() {
        Duration least = EngineSettings.shortestRoutingDelay(lease);
        return least.compareTo(USUAL_ROUTING_DELAY) > 0 ? least : USUAL_ROUTING_DELAY;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static void requirePositive(Duration value, String what, String setting) {
        if (value.toMillis() < 1) {
            throw new PostroomException(what + " must be at least 1 ms (was " + value + "): change " + setting);
        }
    }
}
