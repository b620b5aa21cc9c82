package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@OnStage
class MessagesPageTest {

    @Test
    void a_message_is_found_and_says_why_it_was_not_sent(Stage stage) {
        stage.postroom.receiver.refuse("messages.why", "total must be positive");
        UUID head =
                stage.postroom.publish(Message.to("messages.why").key("7").text("text/plain", "1"), MessageStatus.DEAD);
        UUID behind = stage.postroom.publish(
                Message.to("messages.why").key("7").text("text/plain", "2"), MessageStatus.BLOCKED);
        Screen screen = stage.operator().open("messages");

        screen.page.getByLabel("Search in id").fill(behind.toString());
        screen.page.keyboard().press("Enter");
        assertThat(screen.entry("messages.why")).hasCount(1);
        screen.entry("messages.why")
                .getByRole(com.microsoft.playwright.options.AriaRole.LINK)
                .click();

        assertThat(screen.page.locator(".why")).containsText("Blocked behind message");
        screen.page.locator(".why").getByText(head.toString()).click();
        assertThat(screen.page.locator(".why")).containsText("It is a dead letter");
        assertThat(screen.page.locator(".attempts")).containsText("total must be positive");
        assertThat(screen.page.locator(".timeline")).containsText("Dead: waits for your decision");
    }

    @Test
    void filters_survive_reload_and_the_back_button(Stage stage) {
        stage.postroom.publishForLater(Message.to("messages.apples").text("text/plain", "1"));
        stage.postroom.publishForLater(Message.to("messages.pears").text("text/plain", "1"));
        Screen screen = stage.operator().open("messages");
        assertThat(screen.entry("messages.")).hasCount(2);

        screen.page.getByLabel("Search in id").fill("apples");
        screen.page.keyboard().press("Enter");
        assertThat(screen.entry("messages.pears")).hasCount(0);
        assertThat(screen.page).hasURL(Pattern.compile(".*#/messages\\?q=apples"));

        screen.page.reload();
        assertThat(screen.entry("messages.apples")).hasCount(1);
        assertThat(screen.entry("messages.pears")).hasCount(0);
        assertThat(screen.page.getByLabel("Search in id")).hasValue("apples");

        screen.entry("messages.apples")
                .getByRole(com.microsoft.playwright.options.AriaRole.LINK)
                .click();
        assertThat(screen.page.locator("h1")).hasText("messages.apples");
        screen.page.goBack();
        assertThat(screen.page.getByLabel("Search in id")).hasValue("apples");
        screen.page.goBack();
        assertThat(screen.entry("messages.")).hasCount(2);
        assertThat(screen.page.getByLabel("Search in id")).hasValue("");
    }

    @Test
    void what_is_typed_stays_while_the_page_lives(Stage stage) {
        Screen screen = stage.operator().open("messages");
        screen.page.getByLabel("Search in id").fill("half a wor");

        screen.page.waitForResponse(Pattern.compile(".*/api/v1/messages.*"), () -> {});

        assertThat(screen.page.getByLabel("Search in id")).hasValue("half a wor");
        assertThat(screen.page.getByLabel("Search in id")).isFocused();
    }

    @Test
    void payload_is_neither_fetched_nor_shown_until_asked_for(Stage stage) {
        UUID id = stage.postroom.publishForLater(Message.to("messages.secret")
                .text("application/json", "{\"iban\":\"DE02\",\"n\":12345678901234567890}"));
        Screen screen = stage.operator();
        StringBuilder heard = new StringBuilder();
        screen.page.onResponse(response -> {
            if (response.url().contains(id.toString())) {
                heard.append(response.text());
            }
        });
        screen.open("messages/" + id);
        assertThat(screen.button("Show payload")).isVisible();
        org.assertj.core.api.Assertions.assertThat(heard.toString()).doesNotContain("DE02");
        assertThat(screen.page.locator("body")).not().containsText("DE02");

        screen.button("Show payload").click();

        assertThat(screen.page.locator("pre.content"))
                .hasText("{\n  \"iban\": \"DE02\",\n  \"n\": 12345678901234567890\n}");
        screen.button("Hide").click();
        assertThat(screen.page.locator("body")).not().containsText("DE02");
    }

    @Test
    void bytes_that_are_no_text_are_shown_as_hexadecimal(Stage stage) {
        byte[] bytes = "..<svg onload=alert(1)>".getBytes(StandardCharsets.ISO_8859_1);
        bytes[0] = (byte) 0xff;
        bytes[1] = 0;
        UUID id = stage.postroom.publishForLater(Message.to("messages.bytes").bytes("application/octet-stream", bytes));
        Screen screen = stage.operator().open("messages/" + id);

        screen.button("Show payload").click();

        assertThat(screen.page.locator("pre.content")).containsText("000000  ff 00 3c 73 76 67");
    }

    @Test
    void a_message_that_is_not_there_is_said(Stage stage) {
        Screen screen = stage.operator().open("messages/00000000-0000-4000-8000-000000000001");

        assertThat(screen.says("There is no such message")).isVisible();
        screen.expectLostRequests();
    }

    @Test
    void a_delivered_message_is_found_in_the_archive(Stage stage) {
        UUID id = stage.postroom.publish(
                Message.to("messages.done").key("a").text("text/plain", "1"), MessageStatus.PROCESSED);
        Screen screen = stage.operator().open("messages");

        screen.page
                .locator(".tabs")
                .getByText("Delivered", new com.microsoft.playwright.Locator.GetByTextOptions().setExact(true))
                .click();
        screen.page.getByLabel("Search in id").fill("messages.done");
        screen.page.keyboard().press("Enter");

        assertThat(screen.entry(id.toString().substring(0, 8))).containsText("Delivered");
    }

    @Test
    void dead_letters_are_requeued_together(Stage stage) {
        stage.postroom.receiver.refuse("messages.dead", "not today");
        UUID first = stage.postroom.publish(Message.to("messages.dead").text("text/plain", "1"), MessageStatus.DEAD);
        UUID second = stage.postroom.publish(Message.to("messages.dead").text("text/plain", "2"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("dead");
        assertThat(screen.entry("messages.dead")).hasCount(2);
        stage.postroom.receiver.accept("messages.dead");

        screen.button("Requeue all").click();
        assertThat(screen.dialog()).containsText("2 messages will be changed.");
        screen.confirm("receiver fixed");

        screen.expectDone("2 messages queued again.");
        assertThat(screen.says("No dead letters")).isVisible();
        stage.postroom.awaitStatus(first, MessageStatus.PROCESSED);
        stage.postroom.awaitStatus(second, MessageStatus.PROCESSED);
    }

    @Test
    void one_dead_letter_is_discarded(Stage stage) {
        stage.postroom.receiver.refuse("messages.one", "never");
        UUID id = stage.postroom.publish(Message.to("messages.one").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("messages/" + id);

        screen.button("Discard").click();
        screen.confirm("sent by mistake");

        screen.expectDone("The message was discarded.");
        assertThat(screen.page.locator(".heading .badge")).hasText("Skipped");
    }
}
