package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams, destinations and relays. */
@OnStage
class FlowPageTest {

    @Test
    void a_blocked_stream_is_released(Stage stage) {
        stage.postroom.receiver.fail("flow.blocked", "warehouse is closed");
        stage.postroom.publish(Message.to("flow.blocked").key("7").text("text/plain", "1"), MessageStatus.SCHEDULED);
        UUID behind = stage.postroom.publish(
                Message.to("flow.blocked").key("7").text("text/plain", "2"), MessageStatus.BLOCKED);
        Screen screen = stage.operator().open("streams");
        assertThat(screen.entry("flow.blocked")).containsText("warehouse is closed");
        stage.postroom.receiver.accept("flow.blocked");

        screen.entry("flow.blocked").getByText("Release").click();
        screen.confirm("order does not matter here");

        screen.expectDone("Released");
        stage.postroom.awaitStatus(behind, MessageStatus.PROCESSED);
        assertThat(screen.says("No stream is blocked")).isVisible();
    }

    @Test
    void the_first_of_a_stream_is_skipped(Stage stage) {
        stage.postroom.receiver.refuse("flow.skip", "unknown article");
        UUID head =
                stage.postroom.publish(Message.to("flow.skip").key("7").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("streams");

        screen.entry("flow.skip").getByText("Skip the first").click();
        screen.confirm("article was never sold");

        screen.expectDone("The message was discarded.");
        stage.postroom.awaitStatus(head, MessageStatus.SKIPPED);
    }

    @Test
    void a_destination_is_paused_and_resumed(Stage stage) {
        stage.postroom.publish(Message.to("flow.before").text("text/plain", "1"), MessageStatus.PROCESSED);
        Screen screen = stage.operator().open("destinations");
        screen.entry(Postroom.DESTINATION).getByText("Pause").click();
        screen.confirm("upgrade, CHG-118");
        screen.expectDone("is paused.");
        assertThat(screen.entry(Postroom.DESTINATION)).containsText("upgrade, CHG-118");
        UUID id = stage.postroom.publishHeld(Message.to("flow.paused").text("text/plain", "1"));

        screen.open("messages/" + id);
        assertThat(screen.page.locator(".why")).containsText("is paused");
        screen.open("destinations");
        screen.entry(Postroom.DESTINATION).getByText("Resume").click();
        screen.confirm("upgrade is over");

        screen.expectDone("is resumed.");
        stage.postroom.awaitStatus(id, MessageStatus.PROCESSED);
        assertThat(screen.entry(Postroom.DESTINATION)).containsText("Open");
    }

    @Test
    void a_topic_is_paused_by_its_name(Stage stage) {
        Screen screen = stage.operator().open("destinations");

        screen.button("Pause a topic").click();
        screen.dialog().getByLabel("Topic").fill("flow.topic");
        screen.confirm("template is wrong");

        screen.expectDone("The topic is paused.");
        assertThat(screen.entry("flow.topic")).containsText("template is wrong");
        screen.entry("flow.topic").getByText("Resume").click();
        screen.confirm("mended");
        screen.expectDone("is resumed.");
        assertThat(screen.entry("flow.topic")).hasCount(0);
    }

    @Test
    void relays_and_their_lanes_are_shown(Stage stage) {
        Screen screen = stage.operator().open("relays");

        assertThat(screen.entry("Alive")).hasCount(1);
        assertThat(screen.page.locator(".lanes li")).hasCount(64);
        assertThat(screen.says("64 lanes, each with an owner")).isVisible();
    }

    @Test
    @Tag("R61")
    void destinations_that_joined_and_addresses_that_differ_are_shown_with_the_replay(Stage stage) throws Exception {
        stage.postroom.anotherRelayDeliversElsewhere();
        Screen screen = stage.operator().open("relays");

        assertThat(screen.says("postroom replay --route '**' --destination out"))
                .isVisible();
        assertThat(screen.says("log elsewhere")).isVisible();
        assertThat(screen.says("+ ** -> elsewhere (block)")).isVisible();
        assertThat(screen.says("\u2212 ** -> out (block)")).isVisible();
    }

    @Test
    void the_database_tells_about_its_tables(Stage stage) {
        Screen screen = stage.operator().open("database");

        assertThat(screen.says("H2")).isVisible();
        assertThat(screen.entry("postroom_message").first()).isVisible();
    }
}
