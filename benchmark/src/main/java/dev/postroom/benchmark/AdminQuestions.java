package dev.postroom.benchmark;

import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

/** What operators ask, by name: of the operations API, and what the page asks for over HTTP. */
final class AdminQuestions {
    private static final int PAGE_SIZE = 50;
    private static final int LAST_PAGE = 199;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Operations operations;
    private final String url;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, Callable<?>> all = new LinkedHashMap<>();

    private AdminQuestions(Operations operations, String url) {
        this.operations = operations;
        this.url = url;
    }

    static Map<String, Callable<?>> of(Operations operations, String url) {
        AdminQuestions questions = new AdminQuestions(operations, url);
        UUID dead = questions.first(MessageStatus.DEAD);
        UUID waiting = questions.first(MessageStatus.PENDING);
        questions.lists();
        questions.others(dead, waiting);
        questions.overHttp(dead, waiting);
        return questions.all;
    }

    private UUID first(MessageStatus status) {
        return operations
                .list(MessageFilter.builder().status(status).build(), 0, 1)
                .items()
                .get(0)
                .id();
    }

    private void lists() {
        list("messages", filter -> filter);
        for (MessageStatus status : MessageStatus.values()) {
            list(status.label(), filter -> filter.status(status));
        }
        list("of a topic", filter -> filter.topic("bench.waiting"));
        list("of a topic and key", filter -> filter.topic("bench.waiting").key("order-77"));
        list("of a stream", filter -> filter.tenant("").topic("bench.waiting").key("order-77"));
        list("stale for an hour", filter -> filter.staleFor(Duration.ofHours(1)));
        list("text found", filter -> filter.text("order-77"));
        list("text not found", filter -> filter.text("nowhere"));
        list("dead, text found", filter -> filter.status(MessageStatus.DEAD).text("article 77"));
        list("pending, no text", filter -> filter.status(MessageStatus.PENDING).text("nowhere"));
        list(
                "processed, of a key",
                filter -> filter.status(MessageStatus.PROCESSED).key("order-77"));
        list(
                "processed, no topic",
                filter -> filter.status(MessageStatus.PROCESSED).topic("nowhere"));
        all.put("list: a page far back", () -> operations.list(MessageFilter.ALL, LAST_PAGE, PAGE_SIZE));
    }

    private void list(String name, UnaryOperator<MessageFilter.Builder> narrowed) {
        MessageFilter filter = narrowed.apply(MessageFilter.builder()).build();
        all.put("list: " + name, () -> operations.list(filter, 0, PAGE_SIZE));
    }

    private void others(UUID dead, UUID waiting) {
        all.put("one dead letter", () -> operations.find(dead).orElseThrow().whyNotSent());
        all.put(
                "one waiting, and why",
                () -> operations.find(waiting).orElseThrow().whyNotSent());
        all.put("stats", operations::stats);
        all.put("failures", () -> operations.failures(PAGE_SIZE));
        all.put("blocked streams", () -> operations.blockedStreams(PAGE_SIZE));
        all.put("destinations", operations::destinations);
        all.put("pauses", operations::pauses);
        all.put("relays", operations::nodes);
        all.put("lanes", operations::lanes);
        all.put("database", operations::storage);
        all.put("audit", () -> operations.audit(0, PAGE_SIZE));
    }

    private void overHttp(UUID dead, UUID waiting) {
        get("");
        for (String path : new String[] {
            "me",
            "health",
            "stats",
            "history",
            "nodes",
            "lanes",
            "destinations",
            "pauses",
            "failures",
            "streams/blocked",
            "database",
            "audit?pageSize=50",
            "messages?pageSize=50"
        }) {
            get("api/v1/" + path);
        }
        for (MessageStatus status : MessageStatus.values()) {
            get("api/v1/messages?status=" + status.label() + "&pageSize=50");
        }
        get("api/v1/messages?topic=bench.waiting&key=order-77&pageSize=50");
        get("api/v1/messages?q=nowhere&pageSize=50");
        get("api/v1/messages?staleSeconds=3600&pageSize=50");
        get("GET /api/v1/messages/DEAD", "api/v1/messages/" + dead);
        get("GET /api/v1/messages/WAITING", "api/v1/messages/" + waiting);
    }

    private void get(String path) {
        get("GET /" + path, path);
    }

    private void get(String name, String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE).build();
        all.put(name, () -> {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("answered " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        });
    }
}
