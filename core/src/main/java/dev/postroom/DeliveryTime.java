package dev.postroom;

import java.time.Duration;
import java.time.Instant;

/** When a message may be delivered at the earliest. */
public sealed interface DeliveryTime {

    /** As soon as possible. */
    record Now() implements DeliveryTime {}

    /** Not before this instant, judged by the database's clock. */
    record At(Instant instant) implements DeliveryTime {}

    /** This long after the row is written, counted on the database's clock. */
    record After(Duration delay) implements DeliveryTime {}
}
