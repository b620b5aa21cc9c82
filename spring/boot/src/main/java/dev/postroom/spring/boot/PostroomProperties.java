package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import dev.postroom.outbox.Limits;
import dev.postroom.spi.TableNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/**
 * The settings under {@code postroom}. What is not set keeps the default of the builders. A setting that is not here is a
 * mistake, and an error.
 *
 * @param database Where the tables are.
 * @param relay How messages are delivered by this application.
 * @param retry When failed deliveries are tried again.
 * @param limits What a message may be at most.
 * @param compression When payloads are compressed.
 * @param retention How long delivered messages are kept, or none.
 * @param audit How long it can be looked up who changed what.
 * @param dedupWindow How long idempotency keys are remembered at least.
 * @param source The CloudEvents source of messages that give none.
 * @param destinations Where messages go, by name. One without a type is the Transport bean of that name.
 * @param routes Which topics go to which destinations; the first that matches a topic is its route.
 * @param metrics What is shown in the application's MeterRegistry.
 * @param tracing Whether messages carry the application's traces along.
 * @param health Health thresholds.
 * @param redact What is hidden on the admin surface from those who may not reveal it.
 * @param admin The admin surface within this application.
 */
@ConfigurationProperties(prefix = "postroom", ignoreUnknownFields = false)
public record PostroomProperties(
        @DefaultValue DatabaseProperties database,
        @DefaultValue RelayProperties relay,
        @NestedConfigurationProperty @DefaultValue RetryProperties retry,
        @DefaultValue LimitsProperties limits,
        @DefaultValue CompressionProperties compression,
        @DefaultValue("7d") String retention,
        @DefaultValue AuditProperties audit,
        @DefaultValue("7d") Duration dedupWindow,
        @Nullable String source,
        @DefaultValue Map<String, DestinationProperties> destinations,
        @DefaultValue List<RouteProperties> routes,
        @DefaultValue MetricsProperties metrics,
        @DefaultValue TracingProperties tracing,
        @NestedConfigurationProperty @DefaultValue HealthProperties health,
        @DefaultValue RedactProperties redact,
        @NestedConfigurationProperty @DefaultValue AdminProperties admin) {

    public PostroomProperties {
        keptFor(retention);
    }

    /** Empty for none at all. */
    Optional<Duration> keptFor() {
        return keptFor(retention);
    }

    private static Optional<Duration> keptFor(String retention) {
        try {
            return retention.equals("none") ? Optional.empty() : Optional.of(DurationStyle.detectAndParse(retention));
        } catch (IllegalArgumentException e) {
            throw new PostroomException(
                    "postroom.retention must be a duration such as 7d, or none (was '" + retention + "'): change it");
        }
    }

    /**
     * Where the tables are.
     *
     * @param schema The schema of the tables; the connection's own by default.
     * @param tablePrefix What every table's name begins with.
     * @param migrate Whether this application creates and updates the tables when it starts. Otherwise it only checks them.
     */
    public record DatabaseProperties(
            @Nullable String schema,
            @DefaultValue("postroom_") String tablePrefix,
            @DefaultValue("false") boolean migrate) {

        TableNames names() {
            return new TableNames(schema, tablePrefix);
        }
    }

    /**
     * How messages are delivered by this application.
     *
     * @param enabled Whether this application delivers. By default it does if it has a destination or a Transport bean.
     * @param name What its threads and its entry in the database begin with.
     * @param lease After how long without a sign of life others take over.
     * @param batchSize Rows per lane and read at most.
     * @param pollMin How soon to look again after something was found.
     * @param pollMax How soon to look again when nothing was found for long.
     * @param routingDelay How long a relay must have lived before its routes take over from other relays'.
     * @param maxInFlight Messages in memory at most.
     * @param maxInFlightBytes Payload bytes in memory at most.
     * @param stopTimeout How long a stop waits for what is under way.
     * @param maxCrashes How often a message may have been on its way when a process died.
     */
    public record RelayProperties(
            @Nullable Boolean enabled,
            @Nullable String name,
            @Nullable Duration lease,
            @Nullable Integer batchSize,
            @Nullable Duration pollMin,
            @Nullable Duration pollMax,
            @Nullable Duration routingDelay,
            @Nullable Integer maxInFlight,
            @Nullable DataSize maxInFlightBytes,
            @Nullable Duration stopTimeout,
            @Nullable Integer maxCrashes) {}

    /**
     * What a message may be at most.
     *
     * @param payloadBytes The payload, before compression.
     * @param headers How many headers.
     * @param headerBytes Names and values of all headers together.
     * @param topicLength Characters of a topic.
     * @param keyLength Characters of a key.
     */
    public record LimitsProperties(
            @DefaultValue("1MB") DataSize payloadBytes,
            @DefaultValue("64") int headers,
            @DefaultValue("16KB") DataSize headerBytes,
            @DefaultValue("255") int topicLength,
            @DefaultValue("255") int keyLength) {

        Limits limits() {
            return new Limits(bytes(payloadBytes), headers, bytes(headerBytes), topicLength, keyLength);
        }

        private static int bytes(DataSize size) {
            return (int) Math.min(Integer.MAX_VALUE, size.toBytes());
        }
    }

    /**
     * What is shown in the application's MeterRegistry.
     *
     * @param enabled Whether there are metrics, if the application has a MeterRegistry.
     * @param topics How many topics counters tell apart; not at all by default.
     * @param tenants How many tenants counters tell apart; not at all by default.
     * @param poisonAttempts After how many failed attempts a message counts as one that may never be delivered.
     * @param interval How old an answer of the database may be before it is asked again.
     */
    public record MetricsProperties(
            @DefaultValue("true") boolean enabled,
            @Nullable Integer topics,
            @Nullable Integer tenants,
            @DefaultValue("5") int poisonAttempts,
            @DefaultValue("10s") Duration interval) {}

    /**
     * What is hidden on the admin surface from those who may not reveal it.
     *
     * @param headers Headers beside the usual ones (authorization, cookie, *token* and their like); *, and ! for exceptions.
     * @param jsonPaths Parts of JSON payloads, such as $.customer.email, $.items[*].card or $..iban.
     */
    public record RedactProperties(
            @DefaultValue List<String> headers,
            @DefaultValue List<String> jsonPaths) {}

    /**
     * Whether messages carry the application's traces along.
     *
     * @param enabled Whether they do, if the application has a Tracer of Micrometer.
     */
    public record TracingProperties(@DefaultValue("true") boolean enabled) {}

    /**
     * The audit.
     *
     * @param retention How long it can be looked up who changed what; 30 days at least.
     */
    public record AuditProperties(@DefaultValue("400d") Duration retention) {}

    /**
     * When payloads are compressed.
     *
     * @param threshold Payloads of at least this size are compressed.
     */
    public record CompressionProperties(
            @DefaultValue("32KB") DataSize threshold) {}
}
