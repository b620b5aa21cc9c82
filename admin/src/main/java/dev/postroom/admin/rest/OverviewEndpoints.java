package dev.postroom.admin.rest;

import dev.postroom.admin.Visitor;
import dev.postroom.admin.http.Answers;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.view.AuditPageView;
import dev.postroom.admin.view.DatabaseView;
import dev.postroom.admin.view.HealthView;
import dev.postroom.admin.view.ItemsView;
import dev.postroom.admin.view.NodeView;
import dev.postroom.admin.view.RoutingView;
import dev.postroom.admin.view.StatsView;
import dev.postroom.admin.view.VisitorView;
import dev.postroom.operations.LaneItem;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.Store;
import java.time.InstantSource;
import java.util.List;

/** The outbox as a whole, and who looks at it. */
final class OverviewEndpoints {
    private static final int PAGE_SIZE = 50;

    private final Store store;
    private final ShownReadings readings;
    private final History history;
    private final InstantSource clock;

    OverviewEndpoints(Store store, ShownReadings readings, History history, InstantSource clock) {
        this.store = store;
        this.readings = readings;
        this.history = history;
        this.clock = clock;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get("/me", OverviewEndpoints::me).forEverybody(),
                Endpoint.get("/openapi.json", call -> Answers.document(OpenApi.document()))
                        .forEverybody(),
                Endpoint.get("/health", call -> HealthView.of(readings.health(tenants(call))))
                        .forTenants(),
                Endpoint.get(
                                "/stats",
                                call -> StatsView.of(
                                        readings.current(tenants(call)).stats(), tenants(call)))
                        .forTenants(),
                Endpoint.get("/history", call -> history.view()),
                Endpoint.get(
                        "/nodes",
                        call -> new ItemsView<>(readings.current(tenants(call)).nodes().stream()
                                .map(NodeView::of)
                                .toList())),
                Endpoint.get(
                        "/lanes",
                        call -> new ItemsView<LaneItem>(
                                readings.current(tenants(call)).lanes())),
                Endpoint.get("/routing", this::routing),
                Endpoint.get("/database", this::database),
                Endpoint.get("/audit", OverviewEndpoints::audit, "page", "pageSize"));
    }

    private static Tenants tenants(Call call) {
        return call.visitor().tenants();
    }

    private static VisitorView me(Call call) {
        Visitor visitor = call.visitor();
        return new VisitorView(
                visitor.name(),
                visitor.role().label(),
                visitor.signedIn(),
                visitor.signInNeeded(),
                visitor.canSignOut(),
                visitor.rights().mayReveal(),
                visitor.tenants().names());
    }

    private RoutingView routing(Call call) {
        return RoutingView.of(
                call.operations().routings(), readings.current(tenants(call)).nodes(), clock.instant());
    }

    private DatabaseView database(Call call) {
        return DatabaseView.of(
                store.description(), store.schema().current(), call.operations().storage());
    }

    private static AuditPageView audit(Call call) {
        int page = call.number("page", 0);
        int pageSize = call.number("pageSize", PAGE_SIZE);
        return new AuditPageView(call.operations().audit(page, pageSize), page, pageSize);
    }
}
