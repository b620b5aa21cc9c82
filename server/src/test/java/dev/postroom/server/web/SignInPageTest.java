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
    private static final double PATIENCE_MILLIS = 60_000;

    @Test
    void the_page_asks_who_it_is_and_goes_on_where_one_was_going() {
        try (WebServer server = serverWithUsers();
                Playwright playwright = playwright();
                Browser browser = browser(playwright)) {
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

    /** From a page of the issuer's, another site to the browser, no Strict cookie comes along. */
    @Test
    void somebody_signs_in_at_an_issuer_and_goes_on_where_one_was_going() {
        try (Issuer issuer = new Issuer(0);
                WebServer server = WebServer.start(store(), OidcTest.settings(issuer.settings()), new ServerMetrics());
                Playwright playwright = playwright();
                Browser browser = browser(playwright)) {
            issuer.register(server);
            issuer.asks = true;
            Page page = browser.newPage();
            page.setDefaultTimeout(PATIENCE_MILLIS);
            PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);

            page.navigate(server.url() + "#/destinations");
            page.getByText("Sign in with localhost").click();
            page.getByText("It is me").click();
            assertThat(page.locator("h1")).hasText("Destinations");
            assertThat(page.locator(".who")).containsText("vera");

            page.getByText("Sign out").click();
            assertThat(page.getByText("Sign in with localhost")).isVisible();
            issuer.twist = claims -> claims.claim("nonce", "another");
            page.getByText("Sign in with localhost").click();
            page.getByText("It is me").click();
            assertThat(page.locator("[role=alert]")).containsText("was not accepted");
            assertThat(page.getByLabel("Password")).isVisible();
        }
    }

    private static Playwright playwright() {
        return Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    private static Browser browser(Playwright playwright) {
        return playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Chromium.program())
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
    }

    private static Store store() {
        Store store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        return store;
    }

    private static void signIn(Page page, String password) {
        page.getByLabel("Name").fill("vera");
        page.getByLabel("Password").fill(password);
        page.locator("button[type=submit]").click();
    }

    private static WebServer serverWithUsers() {
        return WebServer.start(
                store(),
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
