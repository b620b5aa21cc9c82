package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of docs/kafka.md. */
@Tag("R25")
class FailuresTest {
    private static final FailureReason DOWN = FailureReason.TRANSPORT_UNAVAILABLE;

    private static Arguments row(Throwable error, FailureReason reason, Scope scope, boolean endsProducer) {
        return Arguments.of(error, true, reason, scope, endsProducer);
    }

    private static Arguments unconnected(Throwable error) {
        return Arguments.of(error, false, DOWN, Scope.DESTINATION, true);
    }

    /** The broker has said it before the connection went. */
    private static Arguments unconnectedTopic(Throwable error) {
        return Arguments.of(error, false, DOWN, Scope.TOPIC, false);
    }

    static Stream<Arguments> table() {
        FailureReason invalid = FailureReason.VALIDATION_FAILURE;
        return Stream.of(
                row(new DeliveryFailedException(invalid, "no event"), invalid, Scope.MESSAGE, false),
                row(new SerializationException("x"), FailureReason.SERIALIZATION, Scope.MESSAGE, false),
                row(new RecordTooLargeException("x"), invalid, Scope.MESSAGE, false),
                row(new RecordBatchTooLargeException("x"), invalid, Scope.MESSAGE, false),
                row(new InvalidTimestampException("x"), invalid, Scope.MESSAGE, false),
                row(new InvalidRecordException("x"), invalid, Scope.MESSAGE, false),
                row(new PolicyViolationException("x"), invalid, Scope.MESSAGE, false),
                row(new UnknownTopicOrPartitionException("x"), DOWN, Scope.TOPIC, false),
                row(new UnknownTopicIdException("x"), DOWN, Scope.TOPIC, false),
                row(new InvalidTopicException("x"), DOWN, Scope.TOPIC, false),
                row(new TopicAuthorizationException("x"), DOWN, Scope.TOPIC, false),
                row(new NotEnoughReplicasException("x"), DOWN, Scope.TOPIC, false),
                row(new NotEnoughReplicasAfterAppendException("x"), DOWN, Scope.TOPIC, false),
                row(new TimeoutException("x", new UnknownTopicOrPartitionException("y")), DOWN, Scope.TOPIC, false),
                row(new TimeoutException("x"), DOWN, Scope.TOPIC, false),
                row(new LeaderNotAvailableException("x"), DOWN, Scope.TOPIC, false),
                row(new NotLeaderOrFollowerException("x"), DOWN, Scope.TOPIC, false),
                row(new KafkaStorageException("x"), DOWN, Scope.TOPIC, false),
                row(new CorruptRecordException("x"), DOWN, Scope.TOPIC, false),
                unconnected(new TimeoutException("x")),
                unconnected(new LeaderNotAvailableException("x")),
                unconnectedTopic(new UnknownTopicOrPartitionException("x")),
                unconnectedTopic(new NotEnoughReplicasException("x")),
                unconnectedTopic(new NotEnoughReplicasAfterAppendException("x")),
                row(new BufferExhaustedException("x"), DOWN, Scope.DESTINATION, false),
                row(new NetworkException("x"), DOWN, Scope.DESTINATION, false),
                row(new SaslAuthenticationException("x"), DOWN, Scope.DESTINATION, true),
                row(new SslAuthenticationException("x"), DOWN, Scope.DESTINATION, true),
                row(new ClusterAuthorizationException("x"), DOWN, Scope.DESTINATION, true),
                row(new TransactionalIdAuthorizationException("x"), DOWN, Scope.DESTINATION, true),
                row(new OutOfOrderSequenceException("x"), DOWN, Scope.DESTINATION, true),
                row(new UnknownProducerIdException("x"), DOWN, Scope.DESTINATION, true),
                row(new ProducerFencedException("x"), DOWN, Scope.DESTINATION, true),
                row(new InvalidProducerEpochException("x"), DOWN, Scope.DESTINATION, true),
                row(new InvalidPidMappingException("x"), DOWN, Scope.DESTINATION, true),
                row(new UnsupportedVersionException("x"), DOWN, Scope.DESTINATION, true),
                row(new InvalidRequiredAcksException("x"), DOWN, Scope.DESTINATION, true),
                row(new ConfigException("x"), DOWN, Scope.DESTINATION, true),
                row(new InterruptException("x"), DOWN, Scope.DESTINATION, true),
                row(new KafkaException("Producer is closed forcefully."), DOWN, Scope.DESTINATION, true),
                row(new IllegalStateException("producer closed"), DOWN, Scope.DESTINATION, true),
                row(new UnknownServerException("x"), FailureReason.UNKNOWN, Scope.MESSAGE, false),
                row(new NullPointerException("x"), FailureReason.UNKNOWN, Scope.MESSAGE, false));
    }

    @ParameterizedTest
    @MethodSource("table")
    void every_failure_has_its_meaning(
            Throwable error, boolean connected, FailureReason reason, Scope scope, boolean endsProducer) {
        Verdict verdict = Failures.of(error, connected);
        Outcome.Failed failed = (Outcome.Failed) verdict.outcome();
        assertThat(failed.reason()).isEqualTo(reason);
        assertThat(failed.scope()).isEqualTo(scope);
        assertThat(verdict.endsProducer()).isEqualTo(endsProducer);
        assertThat(failed.error()).contains(error.getClass().getSimpleName());
    }

    @Test
    void texts_are_bounded() {
        Verdict verdict = Failures.of(new KafkaException("x".repeat(5_000)), true);
        assertThat(((Outcome.Failed) verdict.outcome()).error()).hasSizeLessThan(1_100);
    }
}
