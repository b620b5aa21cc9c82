package dev.postroom.kafka;

import dev.postroom.spi.Outcome;

/**
 * What a failure means.
 *
 * @param endsProducer whether the producer is of no more use
 */
record Verdict(Outcome outcome, boolean endsProducer) {}
