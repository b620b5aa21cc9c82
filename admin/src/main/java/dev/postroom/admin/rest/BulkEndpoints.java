package dev.postroom.admin.rest;

import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.http.RefusedException;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.ErasureRequest;
import dev.postroom.operations.ErasureResult;
import dev.postroom.operations.Operations;
import dev.postroom.operations.ReplayRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Many messages at once. A call works within its request, on as many as its limit says: for more it is repeated until it
 * changes nothing, which is also how far it got.
 */
final class BulkEndpoints {
    private static final int MOST = 10_000;
    private static final List<Change> CHANGES = List.of(Change.RETRY, Change.DEAD_LETTER, Change.SKIP, Change.DELETE);
    private static final String TIME = "a time such as 2026-03-01T10:00:00Z";

    List<Endpoint> all() {
        List<Endpoint> all = new ArrayList<>();
        for (Change change : CHANGES) {
            all.add(Endpoint.post("/messages/actions/" + change.label(), call -> change(call, change))
                    .forTenants());
        }
        all.add(Endpoint.post("/messages/actions/replay", BulkEndpoints::replay).forTenants());
        all.add(Endpoint.post("/messages/actions/purge", BulkEndpoints::purge));
        all.add(Endpoint.post("/messages/actions/erase", BulkEndpoints::erase));
        return all;
    }

    private static ActionResult change(Call call, Change change) {
        Body body = call.body().only("filter", "dryRun", "limit", "reason", "everything");
        Bulk bulk = new Bulk(Filters.of(body.object("filter")), limit(body), dryRun(body), isSet(body, "everything"));
        return call.operations().change(change, bulk, body.text("reason"));
    }

    /** Sends archived messages of the topic, and key, again; by when they were delivered. */
    private static ActionResult replay(Call call) {
        Body body = call.body().only("filter", "destination", "ratePerSecond", "dryRun", "limit", "reason");
        Body filter = body.object("filter").only("tenant", "topic", "key", "processedAfter", "processedBefore");
        ReplayRequest request = new ReplayRequest(
                filter.text("tenant"),
                Filters.required(filter, "topic"),
                filter.text("key"),
                filter.text("processedAfter", Filters::time, TIME),
                filter.text("processedBefore", Filters::time, TIME),
                Filters.required(body, "destination"),
                body.number("ratePerSecond"));
        Operations operations = call.operations();
        KnownDestinations.check(operations, request.destination());
        return dryRun(body)
                ? operations.dryRunReplay(request)
                : operations.replay(request, limit(body), body.text("reason"), changed -> {});
    }

    private static ActionResult purge(Call call) {
        Body body = call.body().only("filter", "dryRun", "limit", "reason");
        Integer seconds = body.object("filter").only("olderThanSeconds").number("olderThanSeconds");
        if (seconds == null) {
            throw RefusedException.badRequest("filter.olderThanSeconds is needed: how old archived messages must be");
        }
        Duration age = Duration.ofSeconds(seconds);
        return dryRun(body)
                ? call.operations().dryRunPurge(age)
                : call.operations().purge(age, limit(body), body.text("reason"), removed -> {});
    }

    /** One person's messages, by key or id, with all that is kept about them. */
    private static ErasureResult erase(Call call) {
        Body body = call.body().only("filter", "ids", "dryRun", "reason");
        Body filter = body.object("filter").only("tenant", "key");
        List<UUID> ids = body.texts("ids").stream().map(Call::uuid).toList();
        String tenant = filter.text("tenant");
        ErasureRequest request = new ErasureRequest(tenant == null ? "" : tenant, filter.text("key"), ids);
        return dryRun(body)
                ? call.operations().dryRunErase(request)
                : call.operations().erase(request, body.text("reason"), erased -> {});
    }

    private static int limit(Body body) {
        Integer limit = body.number("limit");
        if (limit != null && (limit < 1 || limit > MOST)) {
            throw RefusedException.badRequest("limit must be 1 to " + MOST + " (was " + limit
                    + "): for more, repeat the call until it changes nothing");
        }
        return limit == null ? Bulk.DEFAULT_LIMIT : limit;
    }

    private static boolean dryRun(Body body) {
        return isSet(body, "dryRun");
    }

    private static boolean isSet(Body body, String member) {
        return Boolean.TRUE.equals(body.flag(member));
    }
}
