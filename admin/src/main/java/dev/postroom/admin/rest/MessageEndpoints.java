package dev.postroom.admin.rest;

import dev.postroom.admin.Redaction;
import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.http.RefusedException;
import dev.postroom.admin.view.FailureView;
import dev.postroom.admin.view.ItemsView;
import dev.postroom.admin.view.MessageDetailView;
import dev.postroom.admin.view.PageView;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.Operations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Messages, single ones and failures. */
final class MessageEndpoints {
    private static final int PAGE_SIZE = 50;
    private static final int FAILURES = 100;
    private static final List<Change> SINGLE = List.of(Change.RETRY, Change.DEAD_LETTER, Change.SKIP, Change.DELETE);

    private final Redaction redaction;

    MessageEndpoints(Redaction redaction) {
        this.redaction = redaction;
    }

    List<Endpoint> all() {
        List<Endpoint> all = new ArrayList<>();
        all.add(Endpoint.get("/messages", MessageEndpoints::list, listParameters()));
        all.add(Endpoint.get("/messages/{id}", this::detail, "payload"));
        for (Change change : SINGLE) {
            all.add(Endpoint.post("/messages/{id}/" + change.label(), call -> change(call, change)));
        }
        all.add(Endpoint.get("/failures", MessageEndpoints::failures, "limit"));
        return all;
    }

    private static String[] listParameters() {
        List<String> names = new ArrayList<>(Arrays.asList(Filters.NAMES));
        names.add("page");
        names.add("pageSize");
        return names.toArray(String[]::new);
    }

    private static PageView list(Call call) {
        return PageView.of(
                call.operations().list(Filters.of(call), call.number("page", 0), call.number("pageSize", PAGE_SIZE)));
    }

    private MessageDetailView detail(Call call) {
        UUID id = call.id();
        boolean payload = call.flag("payload", true);
        MessageDetail detail = call.operations()
                .find(id, payload ? Operations.DEFAULT_PAYLOAD_BYTES : 0)
                .orElseThrow(() -> missing(id));
        MessageDetail shown = redaction.apply(detail);
        return payload ? MessageDetailView.of(shown) : MessageDetailView.withoutPayload(shown);
    }

    private static ActionResult change(Call call, Change change) {
        UUID id = call.id();
        Body body = call.body().only("reason");
        ActionResult result = call.operations().change(change, List.of(id), body.text("reason"));
        if (result.matched() == 0 && call.operations().find(id, 0).isEmpty()) {
            throw missing(id);
        }
        return result;
    }

    private static RefusedException missing(UUID id) {
        return RefusedException.notFound(
                "there is no message " + id + ": it was delivered and forgotten, deleted, or never written");
    }

    private static ItemsView<FailureView> failures(Call call) {
        return new ItemsView<>(call.operations().failures(call.number("limit", FAILURES)).stream()
                .map(FailureView::of)
                .toList());
    }
}
