package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@OnStage
class OverviewPageTest {

    @Test
    void verdict_says_what_is_wrong_and_what_to_do_and_recovers_by_itself(Stage stage) {
        Screen screen = stage.operator().open("overview");
        assertThat(screen.page.locator(".verdict h2")).hasText("Healthy");

        stage.postroom.receiver.beAway("overview.away", "nobody listens there");
        stage.postroom.publish(Message.to("overview.away").text("text/plain", "x"));

        assertThat(screen.page.locator(".verdict h2")).hasText("Needs attention");
        assertThat(screen.page.locator(".reasons")).containsText("nobody listens there");
        assertThat(screen.page.locator(".reasons")).containsText("What to do:");
        screen.link("Go there").first().click();
        assertThat(screen.page.locator("h1")).hasText("Destinations");
        assertThat(screen.entry(Postroom.DESTINATION)).containsText("Held in part");

        stage.postroom.receiver.acceptAll();
        screen.link("Overview").click();
        assertThat(screen.page.locator(".verdict h2")).hasText("Healthy");
    }

    @Test
    void numbers_lead_to_what_they_count(Stage stage) {
        stage.postroom.receiver.refuse("overview.refused", "no such article");
        stage.postroom.publish(Message.to("overview.refused").text("text/plain", "x"), MessageStatus.DEAD);

        Screen screen = stage.operator().open("overview");

        assertThat(screen.page.locator(
                        ".tile", new com.microsoft.playwright.Page.LocatorOptions().setHasText("Relays alive")))
                .containsText("1");
        assertThat(screen.page.locator(".brief")).containsText("overview.refused");
        screen.page
                .locator(".tile", new com.microsoft.playwright.Page.LocatorOptions().setHasText("Dead letters"))
                .click();
        assertThat(screen.page.locator("h1")).hasText("Dead letters");
        assertThat(screen.entry("overview.refused")).hasCount(1);
    }

    @Test
    void charts_of_the_last_hour_are_drawn_and_told_in_words(Stage stage) {
        Screen screen = stage.operator().open("overview");

        assertThat(screen.page.getByRole(AriaRole.IMG))
                .hasCount(3, new LocatorAssertions.HasCountOptions().setTimeout(20_000));
        assertThat(screen.page.locator("postroom-chart canvas")).hasCount(3);
        assertThat(screen.page.getByRole(AriaRole.IMG).first())
                .hasAttribute("aria-label", Pattern.compile("Throughput over the last hour. Delivered now .*"));
    }

    @Test
    void an_unknown_address_says_so(Stage stage) {
        Screen screen = stage.operator().open("nonsense");

        assertThat(screen.page.locator("h1")).hasText("No such page");
    }
}
