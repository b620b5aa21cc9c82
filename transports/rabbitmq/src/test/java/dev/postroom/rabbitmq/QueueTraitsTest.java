package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a queue's arguments mean for a message that comes again and again. */
@Tag("R41")
class QueueTraitsTest {
    private static final BrokerVersion OLD = BrokerVersion.parse("3.13.7");
    private static final BrokerVersion NEW = BrokerVersion.parse("4.0.1");

    /** The limit is where the broker drops a message, so a copy of it must come before. */
    @ParameterizedTest
    @CsvSource({
        ", false, 10, 10",
        "-1, false, 10, 10",
        "-1, true, 10, 10",
        "1000000000, false, 10, 10",
        "20, false, 10, 10",
        "19, false, 9, 9",
        "4, false, 2, 2",
        "1, false, 1, 1",
        "0, false, 1, 1",
        ", true, 10, 10",
        "4, true, 2, 9223372036854775807",
        "0, true, 1, 9223372036854775807",
    })
    void messages_are_renewed_long_before_the_limit_unless_the_arguments_say_where_they_go(
            @Nullable Long limit, boolean deadLetters, long notableFrom, long renewedFrom) {
        QueueTraits traits = new QueueTraits(QueueTraits.Type.QUORUM, limit, deadLetters);
        assertThat(traits.notableFrom()).isEqualTo(notableFrom);
        assertThat(traits.renewedFrom()).isEqualTo(renewedFrom);
    }

    /** Without a limit there is one of 20 since 4.0; -1 is none since then, and 0 before. */
    @ParameterizedTest
    @CsvSource({
        "QUORUM, , false, , 20",
        "QUORUM, -1, false, 0, ",
        "QUORUM, 5, false, 5, 5",
        "QUORUM, 999999999, false, 999999999, 999999999",
        "QUORUM, 1000000000, false, , ",
        "QUORUM, 5, true, , ",
        "QUORUM, , true, , ",
        "CLASSIC, , false, , ",
        "STREAM, , false, , ",
        ", , false, , "
    })
    void only_quorum_queues_without_a_dead_letter_exchange_drop_messages(
            QueueTraits.@Nullable Type type,
            @Nullable Long limit,
            boolean deadLetters,
            @Nullable Long droppedByOld,
            @Nullable Long droppedByNew) {
        QueueTraits traits = new QueueTraits(type, limit, deadLetters);
        assertThat(traits.dropsAfter(OLD)).isEqualTo(droppedByOld);
        assertThat(traits.dropsAfter(NEW)).isEqualTo(droppedByNew);
    }

    @ParameterizedTest
    @CsvSource({
        "3.10.8, 3, 10, false",
        "4.0.9, 4, 0, false",
        "4.2.11, 4, 2, false",
        "4.3.0-rc.1, 4, 3, true",
        "4.12, 4, 12, true",
        "5.0.0, 5, 0, true",
        "null, 0, 0, false",
        "Qpid 8, 0, 0, false",
        "99999999999.1, 0, 0, false"
    })
    void version_of_a_broker_is_read_from_what_it_says(String said, int major, int minor, boolean forgivesNack) {
        BrokerVersion version = BrokerVersion.parse(said);
        assertThat(version).isEqualTo(new BrokerVersion(major, minor));
        assertThat(version.forgivesNack()).isEqualTo(forgivesNack);
    }

    @Test
    void policy_that_keeps_what_would_be_dropped_is_one_line_for_a_shell_whatever_the_names() {
        InboxSettings settings = new InboxSettings(
                RabbitMqSettings.at("amqp://mq/shop%20one"),
                "it's.new",
                List.of(),
                "dead \"letters\"",
                "a\\b",
                1,
                1,
                Duration.ZERO);
        assertThat(new DropWarning(settings, "billing").policy())
                .isEqualTo(
                        "rabbitmqctl set_policy -p 'shop one' --apply-to queues 'keep-it'\\''s.new'"
                                + " '^it\\'\\''s\\.new$'"
                                + " '{\"dead-letter-exchange\":\"dead \\\"letters\\\"\",\"dead-letter-routing-key\":\"a\\\\b\"}'");
    }
}
