package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.rabbitmq.KilledInboxProgram.Death;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One effect per message, wherever the consumer's process or the broker dies. */
@Tag("R41")
@Tag("I11")
@Timeout(180)
class KilledInboxTest {
    private static final int COUNT = 60;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"IN_HANDLER", "AFTER_COMMIT"})
    void a_consumer_that_dies_again_and_again_gives_each_message_one_effect(Death death) throws Exception {
        TestDatabase database = H2.sharedDatabase(folder);
        // H2 lives in the process that opened it first, and that must be this one.
        try (Connection kept = database.connect();
                InboxFixture fixture = new InboxFixture(RabbitMqBroker.shared(), database)) {
            assertThat(kept.isValid(1)).isTrue();
            for (int i = 0; i < COUNT; i++) {
                fixture.send("m" + i, "x");
            }
            for (int deaths = 0; deaths < 3; deaths++) {
                Process dying = start(fixture, death, 7 + deaths);
                assertThat(dying.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(dying.exitValue()).isEqualTo(KilledInboxProgram.DEATH);
            }
            assertThat(fixture.bills()).isNotEmpty().hasSizeLessThan(COUNT);
            Process last = start(fixture, Death.NEVER, 0);
            try {
                eventually().until(() -> fixture.bills().size() >= COUNT);
                eventually().until(() -> fixture.channel().messageCount(fixture.queue) == 0);
            } finally {
                last.getOutputStream().close();
                assertThat(last.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(fixture.channel().messageCount(fixture.queue)).isZero();
            assertThat(fixture.bills()).hasSize(COUNT).doesNotHaveDuplicates();
        }
    }

    private static Process start(InboxFixture fixture, Death death, int at) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledInboxProgram.class.getName(),
                        fixture.database.url(),
                        fixture.database.username(),
                        fixture.database.password(),
                        fixture.broker.uri(),
                        fixture.queue,
                        death.name(),
                        Integer.toString(at))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Test
    @Tag("R20")
    void a_broker_that_is_killed_while_messages_wait_in_it_loses_none_and_doubles_no_effect() throws Exception {
        try (RabbitMqBroker broker = RabbitMqBroker.start();
                InboxFixture fixture = new InboxFixture(broker, H2.freshDatabase())) {
            for (int i = 0; i < COUNT; i++) {
                fixture.send("m" + i, "x");
            }
            try (RabbitMqInbox running = fixture.consumer()
                    .retry(InboxFixture.QUICK.maxAttempts(1_000))
                    .start(fixture.inbox(), (message, tx) -> {
                        InboxFixture.bill(message, tx);
                        if (message.attempt() < 10) { // so that most are on their way when the broker dies
                            throw new IllegalStateException("not yet");
                        }
                    })) {
                eventually().until(() -> waits(fixture));
                broker.kill();
                broker.restart();
                fixture.connect();
                eventually().until(() -> fixture.bills().size() >= COUNT);
                // Those that the broker has twice may fail once more before they are known as duplicates.
                eventually().during(InboxFixture.DELAY).until(fixture::isEmpty);
                fixture.awaitEmptyQueue(running);
            }
            assertThat(fixture.bills()).hasSize(COUNT).doesNotHaveDuplicates();
        }
    }

    private static boolean waits(InboxFixture fixture) throws Exception {
        try (com.rabbitmq.client.Channel asking =
                fixture.channel().getConnection().createChannel()) {
            return asking.messageCount(fixture.queue + ".wait.1s") > 10;
        } catch (java.io.IOException notYet) {
            return false;
        }
    }
}
