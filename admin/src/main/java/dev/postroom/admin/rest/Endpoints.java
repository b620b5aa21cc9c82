package dev.postroom.admin.rest;

import dev.postroom.admin.Redaction;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.spi.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Everything that the API offers. */
public final class Endpoints {
    private Endpoints() {}

    public static List<Endpoint> all(
            Store store, ShownReadings readings, History history, Redaction redaction, InstantSource clock) {
        List<Endpoint> all = new ArrayList<>();
        all.addAll(new OverviewEndpoints(store, readings, history, clock).all());
        // The first that fits answers, and "actions" is no message's id.
        all.addAll(new BulkEndpoints().all());
        all.addAll(new MessageEndpoints(redaction).all());
        all.addAll(new FlowEndpoints(redaction).all());
        return List.copyOf(all);
    }
}
