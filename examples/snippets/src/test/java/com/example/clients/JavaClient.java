package com.example.clients;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudevents.CloudEvent;
import io.cloudevents.CloudEventData;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs the receivers of this JVM and lets them report like the others. */
final class JavaClient {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JavaClient() {}

    static Client.Program http(int port) {
        return (topic, lines) -> new CloudEventsReceivers(event -> lines.accept(line(event))).http(port);
    }

    static Client.Program kafka(String address) {
        return (topic, lines) -> {
            AtomicBoolean running = new AtomicBoolean(true);
            CloudEventsReceivers receivers = new CloudEventsReceivers(event -> lines.accept(line(event)));
            Thread thread = new Thread(() -> receivers.kafka(address, topic, running), topic);
            thread.setDaemon(true);
            thread.start();
            return () -> {
                running.set(false);
                thread.join();
            };
        };
    }

    private static String line(CloudEvent event) {
        CloudEventData data = event.getData();
        Map<String, Object> fields = new TreeMap<>();
        fields.put("id", event.getId());
        fields.put("type", event.getType());
        fields.put("key", event.getSubject());
        fields.put("tenant", event.getExtension("tenantid"));
        fields.put("time", String.valueOf(event.getTime()));
        fields.put("contentType", event.getDataContentType());
        fields.put("payload", Base64.getEncoder().encodeToString(data == null ? new byte[0] : data.toBytes()));
        try {
            return JSON.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
