package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Route;
import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@OnStage
class ChangeDialogTest {

    @Test
    void a_viewer_sees_no_action_anywhere(Stage stage) {
        stage.postroom.receiver.refuse("dialog.viewer", "no");
        UUID id = stage.postroom.publish(
                Message.to("dialog.viewer").key("1").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.viewer();
        for (String place :
                new String[] {"failures", "dead", "streams", "destinations", "messages?status=dead", "messages/" + id
                }) {
            screen.open(place);
            assertThat(screen.entry("dialog.viewer")
                            .or(screen.entry(Postroom.DESTINATION))
                            .or(screen.page.locator(".why"))
                            .first())
                    .isVisible();
            for (String action : new String[] {"Requeue", "Discard", "Delete", "Release", "Pause", "Skip"}) {
                assertThat(screen.button(action)).hasCount(0);
            }
        }
    }

    @Test
    void somebody_without_a_role_is_told_so(Stage stage) {
        Screen screen =
                stage.screen(Browser.DESK, false, dev.postroom.admin.Role.NONE).open("");

        assertThat(screen.says("This page is closed to you")).isVisible();
    }

    @Test
    void a_refusal_is_shown_as_the_server_said_it_and_can_be_repeated(Stage stage) {
        stage.postroom.receiver.refuse("dialog.refused", "no");
        UUID id = stage.postroom.publish(Message.to("dialog.refused").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("messages/" + id);
        String change = "**/messages/" + id + "/skip";
        screen.expectLostRequests();
        screen.page.route(
                change,
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(409)
                        .setContentType("application/problem+json")
                        .setBody("{\"title\":\"Conflict\",\"status\":409,\"detail\":\"somebody was faster\"}")));
        screen.button("Discard").click();
        screen.confirm("typed only once");
        assertThat(screen.dialog().locator(".problem")).containsText("somebody was faster");

        screen.page.unroute(change);
        assertThat(screen.dialog().getByLabel("Why")).hasValue("typed only once");
        screen.dialog().locator("button[type=submit]").click();

        screen.expectDone("The message was discarded.");
    }

    @Test
    void escape_closes_the_dialog_and_nothing_is_changed(Stage stage) {
        stage.postroom.receiver.refuse("dialog.escape", "no");
        UUID id = stage.postroom.publish(Message.to("dialog.escape").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("messages/" + id);
        screen.button("Discard").click();
        assertThat(screen.dialog().getByLabel("Why")).isFocused();

        screen.page.keyboard().press("Escape");

        assertThat(screen.dialog()).hasCount(0);
        assertThat(screen.button("Discard")).isFocused();
        stage.postroom.awaitStatus(id, MessageStatus.DEAD);
    }

    @Test
    void an_open_dialog_stays_while_the_page_lives(Stage stage) {
        stage.postroom.receiver.refuse("dialog.live", "no");
        UUID id = stage.postroom.publish(Message.to("dialog.live").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("messages/" + id);
        screen.button("Discard").click();
        screen.dialog().getByLabel("Why").fill("half a sen");

        screen.page.waitForResponse("**/api/v1/stats", () -> {});

        assertThat(screen.dialog().getByLabel("Why")).hasValue("half a sen");
        assertThat(screen.dialog().getByLabel("Why")).isFocused();
    }
}
