package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import java.util.List;
import java.util.UUID;

/** Every page there is. */
final class Pages {
    private Pages() {}

    static List<String> all(UUID message) {
        return List.of(
                "overview",
                "failures",
                "messages",
                "messages?topic=orders.created&minAttempts=2",
                "dead",
                "streams",
                "destinations",
                "relays",
                "database",
                "audit",
                "messages/" + message);
    }

    /** Everything that was asked for has come. */
    static void awaitContent(Screen screen) {
        assertThat(screen.page.locator("main .skeleton")).hasCount(0);
    }
}
