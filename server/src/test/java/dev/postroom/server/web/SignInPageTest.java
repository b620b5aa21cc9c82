package dev.postroom.server.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.postroom.admin.Admin;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Chromium;
import dev.postroom.testbed.H2;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of the real server, with users, in a browser. */
@Tag("R54")
@Tag("R55")
class SignInPageTest {
    private static final double PATIENCE_MILLIS = 15_000;

    @Test
    void the_page_asks_who_it_is_and_goes_on_where_one_was_going() {
        try (WebServer server = serverWithUsers();
                Playwright playwright = Playwright.create(
                        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
                Browser browser = playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions()
                                .setExecutablePath(Chromium.program())
                                .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")))) {
            Page page = browser.newPage();
            page.setDefaultTimeout(PATIENCE_MILLIS);
            PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
            List<String> policyViolations = new CopyOnWriteArrayList<>();
            page.onConsoleMessage(message -> {
                if (message.text().contains("Content Security Policy")) {
                    policyViolations.add(message.text());
                }
            });

            page.navigate(server.url() + "#/destinations");
            assertThat(page.locator("h1")).hasText("Sign in to Postroom");
            signIn(page, "wrong");
            assertThat(page.locator("[role=alert]")).isVisible();
            assertThat(page.getByLabel("Password")).hasValue("");
            signIn(page, "look-only");

            assertThat(page.locator("h1")).hasText("Destinations");
            assertThat(page.locator(".who")).containsText("vera");
            assertThat(page.getByText("Pause everything")).hasCount(0);
            page.getByText("Sign out").click();
            assertThat(page.locator("h1")).hasText("Sign in to Postroom");
            assertThat(policyViolations).isEmpty();
        }
    }

    private static void signIn(Page page, String password) {
        page.getByLabel("Name").fill("vera");
        page.getByLabel("Password").fill(password);
        page.locator("button[type=submit]").click();
    }

    private static WebServer serverWithUsers() {
        Store store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        return WebServer.start(
                store,
                new AdminSettings(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(new AdminUser("vera", "look-only", Role.VIEWER)),
                        "ada",
                        Admin.DEFAULT_STATEMENT_TIMEOUT,
                        HealthThresholds.DEFAULT),
                new ServerMetrics());
    }
}
