package dev.postroom.admin.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.admin.Role;
import dev.postroom.operations.MessageStatus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.webjars.WebJarVersionLocator;

/** What axe finds by itself; contrast, names, roles, order of headings. */
@OnStage
class AccessibilityTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void axe_finds_nothing_on_any_page(boolean dark, Stage stage) throws IOException {
        stage.postroom.receiver.fail("axe.failed", "no stock");
        stage.postroom.receiver.refuse("axe.refused", "no such order");
        stage.postroom.receiver.beAway("axe.away", "nobody listens");
        stage.postroom.publish(Message.to("axe.failed").key("1").text("text/plain", "1"), MessageStatus.SCHEDULED);
        UUID id = stage.postroom.publish(
                Message.to("axe.refused").key("1").tenant("acme").text("text/plain", "{}"), MessageStatus.DEAD);
        stage.postroom.publish(Message.to("axe.away").text("text/plain", "1"));
        stage.postroom.pauseTopic("axe.paused");
        Screen screen = stage.screen(Browser.DESK, dark, Role.OPERATOR);
        for (String place : Pages.all(id)) {
            screen.open(place);
            Pages.awaitContent(screen);
            expectNothing(screen, place);
        }
        screen.button("Show payload").click();
        assertThat(screen.page.locator("pre.content")).isVisible();
        expectNothing(screen, "payload");
        screen.button("Discard").click();
        screen.dialog().getByLabel("Why").fill("x");
        expectNothing(screen, "dialog");
    }

    private static void expectNothing(Screen screen, String where) throws IOException {
        screen.page.evaluate(axe());
        Object found = screen.page.evaluate("""
                async () => (await axe.run(document, {
                        resultTypes: ["violations"],
                        rules: { "label-content-name-mismatch": { enabled: true } } })).violations
                    .map((violation) => violation.id + ": " + violation.nodes.map((node) => node.html).slice(0, 3).join(" | "))
                    .join("\\n")""");
        assertThat(found).as(where).isEqualTo("");
    }

    /** Run by the test, not by the page, whose policy would not let it in. */
    private static String axe() throws IOException {
        String path = "META-INF/resources/webjars/"
                + Objects.requireNonNull(new WebJarVersionLocator().path("axe-core", "axe.min.js"));
        try (InputStream in = AccessibilityTest.class.getClassLoader().getResourceAsStream(path)) {
            return new String(Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
