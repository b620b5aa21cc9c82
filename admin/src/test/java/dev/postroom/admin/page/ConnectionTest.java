package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import org.junit.jupiter.api.Test;

@OnStage
class ConnectionTest {

    @Test
    void old_data_are_marked_while_the_server_is_away_and_fresh_ones_come_back_by_themselves(Stage stage) {
        stage.postroom.receiver.refuse("connection.first", "no");
        stage.postroom.publish(Message.to("connection.first").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("dead");
        assertThat(screen.entry("connection.first")).hasCount(1);
        screen.expectLostRequests();

        stage.server.line().refuse();

        assertThat(screen.says("The server does not answer.")).isVisible();
        assertThat(screen.entry("connection.first")).hasCount(1);
        assertThat(screen.page.locator(".stale")).isVisible();

        stage.postroom.receiver.refuse("connection.second", "no");
        stage.postroom.publish(Message.to("connection.second").text("text/plain", "1"), MessageStatus.DEAD);
        stage.server.line().accept();

        assertThat(screen.says("The server does not answer.")).hasCount(0);
        assertThat(screen.entry("connection.second")).hasCount(1);
        assertThat(screen.page.locator(".stale")).hasCount(0);
    }

    @Test
    void updates_can_be_held_and_go_on(Stage stage) {
        Screen screen = stage.operator().open("dead");
        assertThat(screen.says("No dead letters")).isVisible();

        screen.button("Hold updates").click();
        assertThat(screen.says("Updates are held")).isVisible();
        stage.postroom.receiver.refuse("connection.held", "no");
        stage.postroom.publish(Message.to("connection.held").text("text/plain", "1"), MessageStatus.DEAD);
        assertThat(screen.entry("connection.held")).hasCount(0);
        screen.button("Go on").click();

        assertThat(screen.entry("connection.held")).hasCount(1);
    }
}
