package dev.postroom.admin.page;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.postroom.admin.Role;
import dev.postroom.testbed.Chromium;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Chromium without a screen. It takes seconds to start, so all tests of a JVM have one, which ends with it. */
final class Browser {
    static final int PHONE = 320;
    static final int DESK = 1440;

    private static final double PATIENCE_MILLIS = 60_000;

    /** Of the thread that runs the tests: Playwright is for one thread. */
    private static final ThreadLocal<Browser> SHARED = ThreadLocal.withInitial(Browser::new);

    private final com.microsoft.playwright.Browser chromium;

    private Browser() {
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Chromium.program())
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    }

    static Browser shared() {
        return SHARED.get();
    }

    /** A window of its own, with no memory of others. */
    Screen screen(String address, int width, boolean dark, Role role) {
        BrowserContext context = chromium.newContext(new com.microsoft.playwright.Browser.NewContextOptions()
                .setViewportSize(width, width < 500 ? 844 : 900)
                .setColorScheme(dark ? ColorScheme.DARK : ColorScheme.LIGHT)
                .setLocale("en-GB")
                .setTimezoneId("Europe/Berlin")
                .setReducedMotion(com.microsoft.playwright.options.ReducedMotion.REDUCE)
                .setExtraHTTPHeaders(Map.of(PageServer.ROLE, role.name().toLowerCase(Locale.ROOT))));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        Page page = context.newPage();
        return new Screen(context, page, address);
    }
}
