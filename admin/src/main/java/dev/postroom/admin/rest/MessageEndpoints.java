package dev.postroom.admin.rest;

import dev.postroom.admin.Redaction;
import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.http.RefusedException;
import dev.postroom.admin.redact.ListedErrors;
import dev.postroom.admin.view.FailureView;
import dev.postroom.admin.view.ItemsView;
import dev.postroom.admin.view.MessageDetailView;
import dev.postroom.admin.view.PageView;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Change;
import dev.postroom.operations.ErrorFingerprint;
import dev.postroom.operations.FailureGroup;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.Operations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
        all.add(Endpoint.get("/messages", this::list, listParameters()).forTenants());
        all.add(Endpoint.get("/messages/{id}", this::detail, "payload").forTenants());
        all.add(Endpoint.post("/messages/{id}/reveal", MessageEndpoints::reveal).forRevealing());
        for (Change change : SINGLE) {
            all.add(Endpoint.post("/messages/{id}/" + change.label(), call -> change(call, change))
                    .forTenants());
        }
        all.add(Endpoint.get("/failures", this::failures, "limit").forTenants());
        return all;
    }

    private static String[] listParameters() {
        List<String> names = new ArrayList<>(Arrays.asList(Filters.NAMES));
        names.add("page");
        names.add("pageSize");
        return names.toArray(String[]::new);
    }

    private PageView list(Call call) {
        MessagePage page =
                call.operations().list(Filters.of(call), call.number("page", 0), call.number("pageSize", PAGE_SIZE));
        return PageView.of(page, ListedErrors.of(redaction, call.operations(), page.failed())::shown);
    }

    private MessageDetailView detail(Call call) {
        UUID id = call.id();
        // Also when the payload is not wanted: what is hidden in it is hidden in the errors.
        MessageDetail detail =
                call.operations().find(id, Operations.DEFAULT_PAYLOAD_BYTES).orElseThrow(() -> missing(id));
        MessageDetail shown = redaction.apply(detail);
        return call.flag("payload", true)
                ? MessageDetailView.of(detail, shown, Operations.DEFAULT_PAYLOAD_BYTES)
                : MessageDetailView.withoutPayload(detail, shown);
    }

    /** As it is, which the audit tells. */
    private static MessageDetailView reveal(Call call) {
        UUID id = call.id();
        String reason = call.body().only("reason").text("reason");
        MessageDetail detail = call.operations()
                .reveal(id, Operations.DEFAULT_PAYLOAD_BYTES, reason)
                .orElseThrow(() -> missing(id));
        return MessageDetailView.of(detail, detail, Operations.DEFAULT_PAYLOAD_BYTES);
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

    private ItemsView<FailureView> failures(Call call) {
        List<FailureGroup> groups = call.operations().failures(call.number("limit", FAILURES));
        ListedErrors errors = ListedErrors.of(
                redaction,
                call.operations(),
                groups.stream().map(FailureGroup::sampleId).toList());
        return new ItemsView<>(groups.stream()
                .map(group -> {
                    String shown = Objects.requireNonNullElse(errors.shown(group.sampleId(), group.sampleError()), "");
                    // Not the stored fingerprint made presentable: without its digits a credential is not recognised.
                    return FailureView.of(group, ErrorFingerprint.of(shown), shown);
                })
                .toList());
    }
}
