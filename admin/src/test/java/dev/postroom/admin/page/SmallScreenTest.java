package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.postroom.Message;
import dev.postroom.admin.Role;
import dev.postroom.operations.MessageStatus;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@OnStage
class SmallScreenTest {

    @Test
    void no_page_scrolls_sideways_on_a_phone(Stage stage) {
        String longName = "small.screen." + "averylongtopicnamewithoutanyspaces".repeat(4);
        stage.postroom.receiver.fail(longName, "error" + "withoutanyspaces".repeat(30));
        UUID id = stage.postroom.publish(
                Message.to(longName).key("k".repeat(200)).text("text/plain", "{}"), MessageStatus.SCHEDULED);
        Screen screen = stage.screen(Browser.PHONE, false, Role.OPERATOR);
        for (String place : Pages.all(id)) {
            screen.open(place);
            Pages.awaitContent(screen);
            assertThat(overflow(screen)).as(place).isZero();
        }
        screen.button("Discard").click();
        assertThat(screen.dialog()).isVisible();
        assertThat(overflow(screen)).as("dialog").isZero();
    }

    @Test
    void the_menu_opens_leads_on_and_closes(Stage stage) {
        Screen screen = stage.screen(Browser.PHONE, false, Role.OPERATOR).open("overview");
        assertThat(inMenu(screen)).isHidden();

        screen.button("Menu").click();
        inMenu(screen).click();

        assertThat(screen.page.locator("h1")).hasText("Blocked streams");
        assertThat(inMenu(screen)).isHidden();
    }

    /** The overview has a tile that is called "Blocked streams". */
    private static Locator inMenu(Screen screen) {
        return screen.page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName("Streams").setExact(true));
    }

    @Test
    void dark_follows_the_system_until_somebody_chooses(Stage stage) {
        Screen screen = stage.screen(Browser.DESK, true, Role.OPERATOR).open("overview");
        assertThat(brightness(screen)).isLessThan(60);

        screen.button("Light theme").click();
        assertThat(brightness(screen)).isGreaterThan(200);

        screen.page.reload();
        assertThat(screen.button("Dark theme")).isVisible();
        assertThat(brightness(screen)).isGreaterThan(200);
    }

    /** By how many pixels the page is wider than the screen. */
    static int overflow(Screen screen) {
        return (int) screen.page.evaluate(
                "() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)");
    }

    private static int brightness(Screen screen) {
        return (int) screen.page.evaluate(
                "() => Number(getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/)[0])");
    }
}
