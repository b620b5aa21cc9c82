package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@OnStage
class FailuresPageTest {

    @Test
    void a_group_is_counted_then_requeued_with_a_reason(Stage stage) {
        stage.postroom.receiver.fail("failures.stock", "no stock for article 4711 in warehouse");
        UUID first =
                stage.postroom.publish(Message.to("failures.stock").text("text/plain", "1"), MessageStatus.SCHEDULED);
        UUID second =
                stage.postroom.publish(Message.to("failures.stock").text("text/plain", "2"), MessageStatus.SCHEDULED);
        Screen screen = stage.operator().open("failures");
        assertThat(screen.entry("failures.stock")).containsText("no stock for article <n> in warehouse");

        stage.postroom.receiver.accept("failures.stock");
        screen.entry("failures.stock").getByText("Requeue group").click();
        assertThat(screen.dialog().locator(".concerned")).hasText("2 messages will be changed.");
        assertThat(screen.dialog().locator("button[type=submit]")).isDisabled();
        screen.confirm("article is back, INC-42");

        screen.expectDone("2 messages queued again.");
        stage.postroom.awaitStatus(first, MessageStatus.PROCESSED);
        stage.postroom.awaitStatus(second, MessageStatus.PROCESSED);
        assertThat(screen.entry("failures.stock")).hasCount(0);
        screen.open("audit");
        assertThat(screen.entry("article is back, INC-42")).containsText("anna");
    }

    @Test
    void a_group_is_discarded(Stage stage) {
        stage.postroom.receiver.refuse("failures.refused", "order is unknown here");
        UUID id = stage.postroom.publish(Message.to("failures.refused").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("failures");

        screen.entry("failures.refused").getByText("Discard group").click();
        screen.confirm("test orders");

        screen.expectDone("1 message discarded.");
        stage.postroom.awaitStatus(id, MessageStatus.SKIPPED);
    }

    @Test
    void a_group_leads_to_its_messages(Stage stage) {
        stage.postroom.receiver.fail("failures.shown", "receiver is confused, try 17");
        stage.postroom.publish(Message.to("failures.shown").key("k").text("text/plain", "1"), MessageStatus.SCHEDULED);
        Screen screen = stage.operator().open("failures");

        screen.entry("failures.shown").getByText("Show 1 message").click();

        assertThat(screen.page.locator("h1")).hasText("Messages");
        assertThat(screen.entry("failures.shown")).hasCount(1);
        assertThat(screen.page.locator(".chips")).containsText("receiver is confused, try");
    }

    @Test
    void nothing_fails_is_said(Stage stage) {
        assertThat(stage.operator().open("failures").says("Nothing fails")).isVisible();
    }
}
