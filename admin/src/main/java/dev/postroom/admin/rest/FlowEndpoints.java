package dev.postroom.admin.rest;

import dev.postroom.admin.Redaction;
import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.redact.ListedErrors;
import dev.postroom.admin.view.BlockedStreamView;
import dev.postroom.admin.view.DestinationView;
import dev.postroom.admin.view.ItemsView;
import dev.postroom.admin.view.PauseView;
import dev.postroom.admin.view.PausedView;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Pause;
import dev.postroom.operations.ReleaseRequest;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** What flows and what is stopped: streams, destinations, pauses. */
final class FlowEndpoints {
    private static final int STREAMS = 100;

    private final Redaction redaction;

    FlowEndpoints(Redaction redaction) {
        this.redaction = redaction;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get("/streams/blocked", this::blocked, "limit").forTenants(),
                Endpoint.post("/streams/release", FlowEndpoints::release).forTenants(),
                Endpoint.get("/destinations", this::destinations).forTenants(),
                Endpoint.post("/destinations/{name}/pause", call -> pause(call, ofDestination(call))),
                Endpoint.post("/destinations/{name}/resume", call -> resume(call, ofDestination(call))),
                Endpoint.get("/pauses", FlowEndpoints::pauses).forTenants(),
                Endpoint.post("/pause", call -> pause(call, ofTopicOrAll(call))),
                Endpoint.post("/resume", call -> resume(call, ofTopicOrAll(call))));
    }

    private ItemsView<BlockedStreamView> blocked(Call call) {
        List<BlockedStream> blocked = call.operations().blockedStreams(call.number("limit", STREAMS));
        ListedErrors errors = ListedErrors.of(
                redaction,
                call.operations(),
                blocked.stream().map(BlockedStream::headId).toList());
        return new ItemsView<>(blocked.stream()
                .map(stream -> BlockedStreamView.of(stream, errors.shown(stream.headId(), stream.error())))
                .toList());
    }

    private static ActionResult release(Call call) {
        Body body = call.body().only("tenant", "topic", "key", "ids", "reason");
        ReleaseRequest stream = ReleaseRequest.of(
                        Objects.requireNonNullElse(body.text("tenant"), ""), Filters.required(body, "key"))
                .topic(body.text("topic"));
        List<UUID> ids = body.texts("ids").stream().map(Call::uuid).toList();
        return call.operations().releaseStream(ids.isEmpty() ? stream : stream.only(ids), body.text("reason"));
    }

    private ItemsView<DestinationView> destinations(Call call) {
        List<NodeItem> told = call.operations().nodes();
        // Those who are bound to tenants are told no errors at all.
        boolean hasErrors = call.visitor().tenants().areAll();
        List<NodeItem> nodes = hasErrors ? told.stream().map(redaction::relay).toList() : told;
        return new ItemsView<>(call.operations().destinations().stream()
                .map(item -> DestinationView.of(item, nodes))
                .toList());
    }

    private static ItemsView<PausedView> pauses(Call call) {
        return new ItemsView<>(
                call.operations().pauses().stream().map(PausedView::of).toList());
    }

    private static Pause.Target ofDestination(Call call) {
        call.body().only("reason");
        return Pause.Target.destination(call.variable("name"));
    }

    private static Pause.Target ofTopicOrAll(Call call) {
        String topic = call.body().only("topic", "reason").text("topic");
        return topic == null ? Pause.Target.EVERYTHING : Pause.Target.topic(topic);
    }

    private static PauseView pause(Call call, Pause.Target target) {
        if (target.destination() != null) {
            KnownDestinations.check(call.operations(), target.destination());
        }
        call.operations().pause(target, call.body().text("reason"));
        return PauseView.of(target, true, true);
    }

    private static PauseView resume(Call call, Pause.Target target) {
        return PauseView.of(
                target, false, call.operations().resume(target, call.body().text("reason")));
    }
}
