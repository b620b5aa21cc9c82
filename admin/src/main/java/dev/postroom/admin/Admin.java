package dev.postroom.admin;

import dev.postroom.PostroomException;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.http.FrontDesk;
import dev.postroom.admin.http.StaticFiles;
import dev.postroom.admin.rest.Endpoints;
import dev.postroom.admin.rest.History;
import dev.postroom.admin.rest.Sampler;
import dev.postroom.admin.rest.ShownReadings;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.Operations;
import dev.postroom.operations.OperationsStore;
import dev.postroom.operations.Readings;
import dev.postroom.operations.Sight;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The admin surface of one outbox: the REST API below {@code BASE/api/v1} and the page at {@code BASE/}. Its routes are
 * given to Spring MVC as a bean. {@link #start()} begins to write the history; {@link #close()} ends that. Thread-safe.
 */
public final class Admin implements AutoCloseable {
    public static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(5);

    private static final int LONGEST_NAME = 128;

    private final String base;
    private final List<Endpoint> endpoints;
    private final FrontDesk desk;
    private final Readings readings;
    private final ShownReadings shown;
    private final Sampler sampler;

    private Admin(Builder builder) {
        this.base = builder.base;
        OperationsStore store = builder.store.operations(builder.statementTimeout);
        Maintenance maintenance = builder.store.maintenance();
        this.readings = Objects.requireNonNullElseGet(builder.readings, () -> new Readings(store));
        this.shown = new ShownReadings(readings, builder.redaction, builder.thresholds);
        History history = new History();
        this.sampler = new Sampler(readings, history, builder.clock);
        List<Endpoint> all =
                new ArrayList<>(Endpoints.all(builder.store, shown, history, builder.redaction, builder.clock));
        all.addAll(builder.more);
        this.endpoints = List.copyOf(all);
        this.desk = new FrontDesk(
                base + "/api/v1",
                endpoints,
                Objects.requireNonNull(builder.access),
                visitor -> Operations.as(auditName(visitor), store, maintenance)
                        .seeing(new Sight(
                                visitor.tenants(),
                                visitor.rights().mayReveal()
                                        ? ErrorSearch.ALL
                                        : builder.redaction.searchableErrors())));
    }

    private static String auditName(Visitor visitor) {
        String name = visitor.name() == null || visitor.name().isBlank() ? "nobody" : visitor.name();
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
    }

    public static Builder on(Store store) {
        return new Builder(store);
    }

    /** For Spring MVC. */
    public RouterFunction<ServerResponse> routes() {
        return desk.routes().and(new StaticFiles(base).routes());
    }

    /** Everything that the API offers. */
    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /** How the outbox is, from the same reading as the page's. Never throws. */
    public Health health() {
        return shown.health(Tenants.ALL);
    }

    public Readings readings() {
        return readings;
    }

    public void start() {
        sampler.start();
    }

    @Override
    public void close() {
        sampler.close();
    }

    /** Puts an admin surface together; what is not given keeps its default. Not thread-safe. */
    public static final class Builder {
        private static final Pattern BASE = Pattern.compile("(/[A-Za-z0-9._~-]+)*");

        private final Store store;
        private final List<Endpoint> more = new ArrayList<>();
        private String base = "";
        private @Nullable Access access;
        private Redaction redaction = RedactionRules.DEFAULT;
        private HealthThresholds thresholds = HealthThresholds.DEFAULT;
        private Duration statementTimeout = DEFAULT_STATEMENT_TIMEOUT;
        private InstantSource clock = InstantSource.system();
        private @Nullable Readings readings;

        private Builder(Store store) {
            this.store = store;
        }

        /** Where it is: {@code /postroom}, or empty for the root. */
        public Builder at(String path) {
            if (!BASE.matcher(path).matches()) {
                throw new PostroomException(
                        "postroom.admin.path must be empty or like /postroom, without a slash at its" + " end (was '"
                                + path + "'): change it");
            }
            base = path;
            return this;
        }

        /** Who may what; there is no default, so that nothing is open by accident. */
        public Builder access(Access value) {
            access = value;
            return this;
        }

        /** What those do not see who may not reveal it; credentials in headers unless told otherwise. */
        public Builder redaction(Redaction value) {
            redaction = value;
            return this;
        }

        public Builder health(HealthThresholds value) {
            thresholds = value;
            return this;
        }

        /** How long the database may take to answer a question; changes may take longer. */
        public Builder statementTimeout(Duration value) {
            if (value.isNegative() || value.compareTo(Duration.ofMillis(100)) < 0) {
                throw new PostroomException(
                        "postroom.admin.statement-timeout must be at least 100ms (was " + value + "): raise it");
            }
            statementTimeout = value;
            return this;
        }

        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /** Readings that are shared with others who ask for them. */
        public Builder readings(Readings value) {
            readings = value;
            return this;
        }

        /** Something that the program around it offers as well, such as signing in. */
        public Builder endpoint(Endpoint endpoint) {
            more.add(endpoint);
            return this;
        }

        public Admin build() {
            if (access == null) {
                throw new PostroomException("say who may use the admin surface: access(…)");
            }
            return new Admin(this);
        }
    }
}
