package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import dev.postroom.handler.Handlers;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Destination;
import dev.postroom.relay.ManualRelay;
import dev.postroom.relay.Relay;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.spring.BorrowedTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * A relay from settings and beans.
 *
 * @param beans transports by the names of their beans, which are the names of their destinations
 * @param codec decodes what handlers take that name no codec themselves; null for the one on the class path
 * @param watch who looks on
 * @param tls finds what destinations' TLS settings mean
 */
public record ConfiguredRelay(
        DataSource dataSource,
        PostroomProperties settings,
        Map<String, Transport> beans,
        @Nullable PayloadCodec codec,
        RelayWatch watch,
        ConfiguredTls tls) {

    /** Where its outbox is. */
    public TableNames tables() {
        return settings.database().names();
    }

    /** What settings and beans call the destinations, in order. */
    public SortedSet<String> destinationNames() {
        TreeSet<String> names = new TreeSet<>(settings.destinations().keySet());
        names.addAll(beans.keySet());
        return names;
    }

    /** The functions in this process that are this destination, if it is that; to be closed by whoever asks. */
    public Optional<Transport> handlers(String name) {
        return beans.get(name) instanceof Handlers handlers
                ? Optional.of(codec == null ? BorrowedTransport.of(handlers) : handlers.codecUnlessGiven(codec))
                : Optional.empty();
    }

    /** For tests: a relay without threads, whose destinations are these, by the names that {@link #destinationNames} gives. */
    public ManualRelay manual(Map<String, Transport> instead) {
        List<Destination> destinations = new ArrayList<>();
        instead.forEach((name, transport) -> {
            DestinationProperties configured = settings.destinations().get(name);
            destinations.add(
                    configured == null ? Destination.of(name, transport) : configured.destination(name, transport));
        });
        return builder(destinations).manual();
    }

    /** A new one each time, with new transports for the destinations from settings: a closed relay has closed its own. */
    Relay start() {
        PoolRoom.warnIfSmall(dataSource);
        List<Transport> opened = new ArrayList<>();
        try {
            return builder(destinations(opened)).start();
        } catch (RuntimeException e) {
            opened.forEach(Transport::close);
            throw e;
        }
    }

    Relay.Builder builder(List<Destination> destinations) {
        RetryPolicy retry = settings.retry().policy("postroom.retry", RetryPolicy.DEFAULT);
        Relay.Builder builder = Relay.on(dataSource)
                .schema(settings.database().schema())
                .tablePrefix(settings.database().tablePrefix())
                .limits(settings.limits().limits())
                .retry(retry)
                .tracing(watch.tracing());
        watch.listeners().forEach(builder::listener);
        destinations.forEach(builder::deliverTo);
        for (int i = 0; i < settings.routes().size(); i++) {
            builder.route(settings.routes().get(i).route("postroom.routes[" + i + "]", retry));
        }
        settings.keptFor().ifPresentOrElse(builder::retention, builder::deleteAfterDelivery);
        builder.auditRetention(settings.audit().retention());
        Optional.ofNullable(settings.retry().errorLength()).ifPresent(builder::errorLength);
        apply(settings.relay(), builder);
        return builder;
    }

    private static void apply(PostroomProperties.RelayProperties relay, Relay.Builder builder) {
        Optional.ofNullable(relay.name()).ifPresent(builder::name);
        Optional.ofNullable(relay.lease()).ifPresent(builder::lease);
        Optional.ofNullable(relay.batchSize()).ifPresent(builder::batchSize);
        Optional.ofNullable(relay.pollMin()).ifPresent(builder::pollMin);
        Optional.ofNullable(relay.pollMax()).ifPresent(builder::pollMax);
        Optional.ofNullable(relay.routingDelay()).ifPresent(builder::routingDelay);
        Optional.ofNullable(relay.maxInFlight()).ifPresent(builder::maxInFlight);
        Optional.ofNullable(relay.maxInFlightBytes()).map(DataSize::toBytes).ifPresent(builder::maxInFlightBytes);
        Optional.ofNullable(relay.stopTimeout()).ifPresent(builder::stopTimeout);
        Optional.ofNullable(relay.maxCrashes()).ifPresent(builder::maxCrashes);
    }

    private List<Destination> destinations(List<Transport> opened) {
        SortedSet<String> names = destinationNames();
        if (names.isEmpty()) {
            throw new PostroomException(
                    "postroom.relay.enabled is true, but there is nowhere to deliver to: configure a"
                            + " destination, such as postroom.destinations.out.type=log, or define a Transport bean");
        }
        return names.stream().map(name -> destination(name, opened)).toList();
    }

    private Destination destination(String name, List<Transport> opened) {
        DestinationProperties configured = settings.destinations().get(name);
        Transport bean = beans.get(name);
        if (configured == null || configured.type() == null) {
            Transport borrowed = borrowed(requireBean(name, bean), opened);
            return configured == null ? Destination.of(name, borrowed) : configured.destination(name, borrowed);
        }
        String key = "postroom.destinations." + name;
        if (bean != null) {
            throw new PostroomException(
                    key + ".type is " + configured.type() + ", but there is a Transport bean of that"
                            + " name too: leave the type out, or rename one of them");
        }
        Transport transport = new ConfiguredTransport(key, configured, tls).open();
        opened.add(transport);
        return configured.destination(name, transport);
    }

    /** Handlers that decode as the application does are not the bean itself, so the relay has to close them. */
    private Transport borrowed(Transport bean, List<Transport> opened) {
        if (codec == null || !(bean instanceof Handlers handlers)) {
            return BorrowedTransport.of(bean);
        }
        Transport decoding = handlers.codecUnlessGiven(codec);
        opened.add(decoding);
        return decoding;
    }

    /** Without the settings, which hold passwords. */
    @Override
    public String toString() {
        return "relay to " + destinationNames();
    }

    private Transport requireBean(String name, @Nullable Transport bean) {
        if (bean == null) {
            throw new PostroomException("postroom.destinations." + name + ".type is missing, and there is no Transport"
                    + " bean called " + name + " (there are: " + beans.keySet() + "): give it a type, rabbitmq, kafka,"
                    + " http or log, or define the bean");
        }
        return bean;
    }
}
