package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What somebody sees and does. Remembers everything that the browser complained about. */
final class Screen implements AutoCloseable {
    final Page page;
    private final BrowserContext context;
    private final String address;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private boolean lineWasCut;

    Screen(BrowserContext context, Page page, String address) {
        this.context = context;
        this.page = page;
        this.address = address;
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onDialog(dialog -> {
            complaints.add("a dialog: " + dialog.message());
            dialog.dismiss();
        });
    }

    /** Opens the page at a place, such as {@code messages?status=dead}. */
    Screen open(String place) {
        page.navigate(address + "#/" + place);
        assertThat(page.locator("h1")).isVisible();
        return this;
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    Locator link(String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    Locator says(String text) {
        return page.getByText(text);
    }

    /** A row or a card that contains the text. */
    Locator entry(String text) {
        return page.locator("main tr, main .card").filter(new Locator.FilterOptions().setHasText(text));
    }

    Locator dialog() {
        return page.locator("dialog[open]");
    }

    /** Says why in the open dialog and presses its last button. */
    void confirm(String reason) {
        dialog().getByLabel("Why").fill(reason);
        dialog().locator("button[type=submit]").click();
    }

    /** The dialog told this when it was done; it is closed then. */
    void expectDone(String text) {
        assertThat(dialog().locator(".outcome")).containsText(text);
        dialog().getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName("Close").setExact(true))
                .last()
                .click();
        assertThat(dialog()).hasCount(0);
    }

    /** The browser complains about requests that fail, which they shall from now on. */
    void expectLostRequests() {
        lineWasCut = true;
    }

    void expectNoComplaints() {
        assertThat(complaints.stream().filter(text -> !(lineWasCut && text.contains("Failed to load resource"))))
                .isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }
}
