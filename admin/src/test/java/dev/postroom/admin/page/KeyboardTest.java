package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageStatus;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Without a mouse. */
@OnStage
class KeyboardTest {
    private static final int MOST_STEPS = 60;

    @Test
    void a_dead_letter_is_requeued_by_keyboard_alone(Stage stage) {
        stage.postroom.receiver.refuse("keyboard.dead", "no");
        UUID id = stage.postroom.publish(Message.to("keyboard.dead").text("text/plain", "1"), MessageStatus.DEAD);
        Screen screen = stage.operator().open("overview");
        stage.postroom.receiver.accept("keyboard.dead");

        tabTo(screen, "Dead letters");
        screen.page.keyboard().press("Enter");
        assertThat(screen.page.locator("h1")).hasText("Dead letters");
        assertThat(screen.page.locator("h1")).isFocused();
        assertThat(screen.entry("keyboard.dead")).hasCount(1);
        tabTo(screen, "Requeue all…");
        screen.page.keyboard().press("Enter");
        assertThat(screen.dialog()).containsText("1 message will be changed.");
        assertThat(screen.dialog().getByLabel("Why")).isFocused();
        screen.page.keyboard().type("by keyboard");
        screen.page.keyboard().press("Control+Enter");
        assertThat(screen.dialog().locator(".outcome")).containsText("1 message queued again.");
        screen.page.keyboard().press("Escape");

        assertThat(screen.dialog()).hasCount(0);
        stage.postroom.awaitStatus(id, MessageStatus.PROCESSED);
    }

    @Test
    void the_first_stop_skips_to_the_content(Stage stage) {
        Screen screen = stage.operator().open("destinations");
        screen.page.evaluate("() => document.activeElement.blur()");

        screen.page.keyboard().press("Tab");
        assertThat(screen.link("Skip to content")).isFocused();
        screen.page.keyboard().press("Enter");

        assertThat(screen.page.locator("main")).isFocused();
    }

    /** Presses Tab until what has the focus is called so; it must be visible that it has it. */
    private static void tabTo(Screen screen, String name) {
        for (int step = 0; step < MOST_STEPS; step++) {
            screen.page.keyboard().press("Tab");
            String focused = (String) screen.page.evaluate("() => document.activeElement.innerText.trim()");
            if (focused.startsWith(name)) {
                assertThat((String) screen.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle"))
                        .isEqualTo("solid");
                return;
            }
        }
        throw new AssertionError("'" + name + "' was not reached with " + MOST_STEPS + " times Tab");
    }
}
