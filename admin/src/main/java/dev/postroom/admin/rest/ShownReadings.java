package dev.postroom.admin.rest;

import dev.postroom.PostroomException;
import dev.postroom.admin.Redaction;
import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.Readings;
import dev.postroom.operations.Readings.Reading;
import dev.postroom.operations.Tenants;

/** Readings as they may be shown: narrowed to somebody's tenants, with the errors of relays redacted. Thread-safe. */
public final class ShownReadings {
    private final Readings readings;
    private final Redaction redaction;
    private final HealthThresholds thresholds;

    public ShownReadings(Readings readings, Redaction redaction, HealthThresholds thresholds) {
        this.readings = readings;
        this.redaction = redaction;
        this.thresholds = thresholds;
    }

    Reading current(Tenants tenants) {
        Reading reading = readings.within(tenants).current();
        if (!tenants.areAll()) {
            return reading; // without a relay's errors already
        }
        return new Reading(
                reading.stats(), reading.nodes().stream().map(redaction::relay).toList(), reading.lanes());
    }

    /** Never throws: a database that cannot be asked is a reason. */
    public Health health(Tenants tenants) {
        try {
            return current(tenants).health(thresholds);
        } catch (PostroomException e) {
            return Health.withoutDatabase(String.valueOf(e.getMessage()));
        }
    }
}
