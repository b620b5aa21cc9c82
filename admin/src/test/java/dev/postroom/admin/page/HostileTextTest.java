package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Texts of strangers are shown as they are, and do nothing. */
@OnStage
class HostileTextTest {
    private static final String IMAGE = "<img src=x onerror=alert(1)>";
    private static final String SCRIPT = "\"><script>alert(2)</script>";
    /** Turns the writing direction: the rest would be read backwards. */
    private static final String TURNED = "invoice\u202Egnp.exe";

    @Test
    void markup_in_topic_key_error_header_and_payload_creates_no_element(Stage stage) {
        String topic = "hostile" + SCRIPT;
        stage.postroom.receiver.refuse(topic, IMAGE + " ${1+1} </pre><b>bold</b> javascript:alert(3)");
        UUID id = stage.postroom.publish(
                Message.to(topic)
                        .key(IMAGE)
                        .type(SCRIPT)
                        .tenant(IMAGE)
                        .header("x-" + "a", IMAGE)
                        .text("text/plain", IMAGE + SCRIPT),
                MessageStatus.DEAD);
        Screen screen = stage.operator();
        for (String place : new String[] {"overview", "failures", "messages", "dead", "streams", "messages/" + id}) {
            screen.open(place);
            assertThat(screen.page.locator("main")).containsText("hostile");
            expectNothingInjected(screen);
        }
        screen.button("Show payload").click();
        assertThat(screen.page.locator("pre.content")).hasText(IMAGE + SCRIPT);
        expectNothingInjected(screen);
        screen.button("Discard").click();
        assertThat(screen.dialog()).containsText(IMAGE);
        screen.confirm(IMAGE + SCRIPT);
        screen.expectDone("The message was discarded.");
        screen.open("audit");
        assertThat(screen.entry(IMAGE).first()).isVisible();
        expectNothingInjected(screen);
    }

    @Test
    void characters_that_deceive_are_made_visible(Stage stage) {
        stage.postroom.publishForLater(Message.to("hostile.turned").key(TURNED).text("text/plain", "1"));

        Screen screen = stage.operator().open("messages?topic=hostile.turned");

        assertThat(screen.entry("hostile.turned")).containsText("invoice‹U+202E›gnp.exe");
    }

    @Test
    void a_line_of_a_megabyte_neither_breaks_the_page_nor_widens_it(Stage stage) {
        UUID id = stage.postroom.publishForLater(Message.to("hostile.long").text("text/plain", "x".repeat(1_000_000)));
        Screen screen = stage.operator().open("messages/" + id);

        screen.button("Show payload").click();

        assertThat(screen.page.locator("pre.content")).isVisible();
        assertThat(screen.button("Show all 65,536 characters")).isVisible();
        assertThat(screen.page.locator("pre.content").textContent().length()).isLessThan(30_000);
        assertThat(SmallScreenTest.overflow(screen)).isZero();
    }

    @Test
    void a_link_that_the_server_suggests_leads_only_to_our_pages(Stage stage) {
        Screen screen = stage.operator().open("overview");

        Object links = screen.page.evaluate("""
                async () => {
                  const { suggested } = await import(new URL("assets/kit/router.js", document.baseURI).href);
                  return ["javascript:alert(1)", "//evil.example/", "https://evil.example", "destinations", "messages?status=dead"]
                    .map((link) => suggested(link));
                }""");

        assertThat(links.toString()).isEqualTo("[null, null, null, #/destinations, #/messages?status=dead]");
    }

    private static void expectNothingInjected(Screen screen) {
        assertThat(screen.page.locator("main img, main script, main b, main svg[onload], [onerror]"))
                .hasCount(0);
        assertThat(screen.page.locator("body > script")).hasCount(0);
    }
}
