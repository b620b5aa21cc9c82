package dev.postroom.kafka;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Outcome;
import dev.postroom.tls.TlsTrouble;
import java.util.Optional;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Which failure means what. The table of docs/kafka.md is this class.
 *
 * <p>A message never makes a broker slow or unreachable, so a timeout never counts against it: without any connection it is
 * an outage, otherwise a matter of the topic, whose partition has no leader at the moment.
 */
final class Failures {
    private static final int LONGEST = 1_000;

    private Failures() {}

    /** @param connected whether the producer has a connection to any broker */
    static Verdict of(Throwable error, boolean connected) {
        String text = text(error);
        if (error instanceof DeliveryFailedException refused) {
            return goesOn(Outcome.failed(refused.reason(), text));
        }
        if (error instanceof SerializationException) {
            return goesOn(Outcome.failed(FailureReason.SERIALIZATION, text));
        }
        if (isRefusedRecord(error)) {
            return goesOn(Outcome.failed(FailureReason.VALIDATION_FAILURE, text));
        }
        if (isAboutTopic(error) || (error.getCause() != null && isAboutTopic(error.getCause()))) {
            return goesOn(Outcome.topicUnavailable(text));
        }
        if (error instanceof BufferExhaustedException || error instanceof NetworkException) {
            return goesOn(Outcome.unavailable(text));
        }
        if (error instanceof RetriableException) { // a timeout is one: the producer has retried until then
            // Without a connection another producer, which knows nothing yet, finds out sooner when the broker is back.
            return connected ? goesOn(Outcome.topicUnavailable(text)) : new Verdict(Outcome.unavailable(text), true);
        }
        if (isEndOfProducer(error)) {
            return new Verdict(Outcome.unavailable(text), true);
        }
        return goesOn(Outcome.failed(FailureReason.UNKNOWN, text));
    }

    /** It could not even be turned into a record. An error may be this process's, such as want of memory: that is tried again. */
    static Outcome ofMessage(Throwable error) {
        if (error instanceof DeliveryFailedException refused) {
            return Outcome.failed(refused.reason(), String.valueOf(refused.getMessage()));
        }
        FailureReason reason = error instanceof Error ? FailureReason.UNKNOWN : FailureReason.SERIALIZATION;
        return Outcome.failed(reason, "it cannot be turned into a record: " + text(error));
    }

    /** No broker will ever have it, so holding the topic would help nobody; and odd names may be many. */
    static Outcome noTopic(String topic) {
        return Outcome.failed(
                FailureReason.VALIDATION_FAILURE,
                "'" + topic
                        + "' cannot be a topic of Kafka, whose names are 1 to 249 letters, digits, '.', '_' and '-':"
                        + " publish to another topic, or set the destination's topic");
    }

    private static Verdict goesOn(Outcome outcome) {
        return new Verdict(outcome, false);
    }

    private static boolean isRefusedRecord(Throwable error) {
        return error instanceof RecordTooLargeException
                || error instanceof RecordBatchTooLargeException
                || error instanceof InvalidTimestampException
                || error instanceof InvalidRecordException
                || error instanceof PolicyViolationException;
    }

    private static boolean isAboutTopic(Throwable error) {
        return error instanceof UnknownTopicOrPartitionException
                || error instanceof UnknownTopicIdException
                || error instanceof InvalidTopicException
                || error instanceof TopicAuthorizationException
                || error instanceof NotEnoughReplicasException
                || error instanceof NotEnoughReplicasAfterAppendException;
    }

    /**
     * Authentication, missing rights on the cluster, an epoch or sequence that the broker does not accept, a configuration
     * that cannot work, a producer that was closed; the last comes as a plain KafkaException or an
     * IllegalStateException. Kafka 4 has one class above the three about fencing, Kafka 3.9 has not.
     */
    private static boolean isEndOfProducer(Throwable error) {
        return error instanceof AuthorizationException
                || error instanceof ProducerFencedException
                || error instanceof InvalidProducerEpochException
                || error instanceof InvalidPidMappingException
                || error instanceof OutOfOrderSequenceException
                || error instanceof InvalidConfigurationException
                || error instanceof IllegalStateException
                || error.getClass() == KafkaException.class
                || error instanceof org.apache.kafka.common.config.ConfigException
                || error instanceof org.apache.kafka.common.errors.InterruptException;
    }

    static String text(Throwable error) {
        Optional<String> handshake = TlsTrouble.explain(error);
        if (handshake.isPresent()) {
            return "no TLS connection to Kafka: " + handshake.get();
        }
        Throwable cause = error.getCause();
        String own = error.getClass().getSimpleName() + ": " + error.getMessage();
        String all =
                cause == null ? own : own + " (" + cause.getClass().getSimpleName() + ": " + cause.getMessage() + ")";
        return all.length() <= LONGEST ? all : all.substring(0, LONGEST);
    }
}
