package com.example.clients;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.policy.Route;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Publishes the same messages to every client, through real servers, and compares what each says it got. */
public final class ClientsProgram {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int SHOWN = 160;

    private final Map<String, Map<String, String>> expected = new TreeMap<>();
    private final Map<String, Map<String, String>> reported = new ConcurrentHashMap<>();
    private final List<AutoCloseable> running = new ArrayList<>();

    private ClientsProgram() {}

    /** Arguments: the folder of the receivers, one for their logs, and Python's program. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Path logs = Files.createDirectories(Path.of(arguments[1]));
        List<Client> clients = new Clients(directory, logs, new Versions(directory, arguments[2])).all();
        boolean good = new ClientsProgram().run(clients);
        if (!good) {
            System.out.println("What they complained of is in " + logs);
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(List<Client> clients) throws Exception {
        createTopics(clients);
        try {
            for (Client client : clients) {
                running.add(client.program().start(client.topic(), line -> report(client, line)));
            }
            try (Relay relay = relay(clients)) {
                clients.forEach(client -> publish(relay, client));
                awaitAll();
            }
        } finally {
            for (AutoCloseable one : running) {
                one.close();
            }
        }
        return print(clients);
    }

    private static void createTopics(List<Client> clients) throws Exception {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", KafkaBroker.shared().address()))) {
            admin.createTopics(clients.stream()
                            .map(client -> new NewTopic(client.topic(), 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
    }

    private static Relay relay(List<Client> clients) {
        TestDatabase database = H2.freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        Relay.Builder relay = Relay.on(database.dataSource());
        for (Client client : clients) {
            relay.deliverTo(client.topic(), client.transport()).route(Route.of(client.topic(), client.topic()));
        }
        return relay.start();
    }

    private void publish(Relay relay, Client client) {
        for (SampleMessage sample : SampleMessage.all()) {
            if (client.ability().takes(sample)) {
                String id = relay.outbox()
                        .publishInOwnTransaction(sample.to(client.topic()))
                        .id()
                        .toString();
                expected.put(
                        client.topic() + " " + sample.label(),
                        client.ability().of(sample.expected(client.topic(), id)));
            }
        }
    }

    /** By id: a message may come twice. */
    private void report(Client client, String line) {
        Map<String, String> fields = new TreeMap<>();
        try {
            fields.putAll(new ObjectMapper().readValue(line, new TypeReference<Map<String, String>>() {}));
            fields.values().removeIf(Objects::isNull);
            String time = fields.remove("time");
            if (client.ability() != Ability.PAYLOAD) {
                Duration age = Duration.between(OffsetDateTime.parse(time).toInstant(), Instant.now());
                if (age.abs().compareTo(PATIENCE.multipliedBy(2)) > 0) {
                    fields.put("time", time);
                }
            }
        } catch (Exception e) {
            System.out.println(client.topic() + " said '" + line + "', which is no report: " + e.getMessage());
            return;
        }
        reported.put(client.topic() + " " + fields.get("id"), fields);
    }

    private void awaitAll() {
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> expected.keySet().stream().allMatch(this::arrived));
        } catch (ConditionTimeoutException e) {
            System.out.println("Not everything arrived within " + PATIENCE.toSeconds() + " s.");
        }
    }

    private boolean arrived(String message) {
        return got(message) != null;
    }

    private Map<String, String> got(String message) {
        String topic = message.substring(0, message.indexOf(' '));
        return reported.get(topic + " " + expected.get(message).get("id"));
    }

    private boolean print(List<Client> clients) {
        boolean good = true;
        for (Client client : clients) {
            List<String> wrong = expected.keySet().stream()
                    .filter(message -> message.startsWith(client.topic() + " "))
                    .filter(message -> !expected.get(message).equals(got(message)))
                    .toList();
            System.out.printf("%-8s%-34s%s%n", wrong.isEmpty() ? "ok" : "FAILED", client.topic(), client.libraries());
            wrong.forEach(message -> System.out.printf(
                    "        %s%n          expected %s%n          got      %s%n",
                    message, shown(expected.get(message)), shown(got(message))));
            good &= wrong.isEmpty();
        }
        return good;
    }

    private static String shown(Map<String, String> fields) {
        if (fields == null) {
            return "nothing";
        }
        Map<String, String> shortened = new TreeMap<>(fields);
        shortened.replaceAll((name, value) -> value.length() > SHOWN ? value.substring(0, SHOWN) + "…" : value);
        return shortened.toString();
    }
}
