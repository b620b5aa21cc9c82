package dev.postroom.testbed.suite;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.RabbitMqBroker;
import java.io.IOException;
import java.util.Optional;

/** Fetches what a variant needs beside what Maven has fetched. */
@FunctionalInterface
interface Preparation {

    /**
     * The exact version, when that is known only now.
     *
     * @throws IOException when the variant is not available on this machine, with the reason
     */
    Optional<String> prepare(Variant variant) throws IOException;

    static Optional<String> fetch(Variant variant) throws IOException {
        String rabbitMq = variant.properties().get(RabbitMqBroker.VERSION);
        if (rabbitMq != null) {
            return Optional.of(RabbitMqBroker.prepare(rabbitMq));
        }
        String postgres = variant.properties().get(Postgres.VERSION);
        return postgres == null ? Optional.empty() : Postgres.prepare(postgres);
    }
}
