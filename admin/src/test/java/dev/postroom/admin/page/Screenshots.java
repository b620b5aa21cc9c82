package dev.postroom.admin.page;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.postroom.Message;
import dev.postroom.admin.Role;
import dev.postroom.operations.MessageStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * Takes the pictures of the README and the guides: {@code ./postroom screenshots}. Everything in them is real but the
 * hour of history before, for which nobody wants to wait.
 */
final class Screenshots {
    private static final int PHONE = 390;
    private static final int DESK = 1340;
    private static final int DELIVERED = 240;

    private final Path folder;

    private Screenshots(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT); // why: see StageExtension
        try (Stage stage = new Stage()) {
            new Screenshots(Path.of(arguments[0])).takeAll(stage);
            stage.clear(true);
        }
    }

    private void takeAll(Stage stage) {
        UUID blocked = somethingOfEverything(stage.postroom);
        take(stage.screen(DESK, false, Role.OPERATOR), "overview", "overview-light");
        take(stage.screen(DESK, true, Role.OPERATOR), "overview", "overview-dark");
        take(stage.screen(PHONE, true, Role.OPERATOR), "overview", "phone");
        take(stage.screen(DESK, false, Role.OPERATOR), "messages/" + blocked, "message");
        take(stage.screen(DESK, false, Role.OPERATOR), "failures", "failures");
    }

    private static UUID somethingOfEverything(Postroom postroom) {
        for (int i = 0; i < DELIVERED; i++) {
            postroom.publish(Message.to("orders.created").key("customer-" + i).text("application/json", "{}"));
        }
        postroom.receiver.beAway("billing.invoice.issued", "404 from https://billing.example/in");
        postroom.receiver.refuse("orders.imported", "422: field \"total\" must be positive (was -7)");
        postroom.receiver.fail("parcels.sent", "no answer from carrier within 10 s (request 4711)");
        for (int i = 0; i < 9; i++) {
            postroom.publish(Message.to("billing.invoice.issued").key("i-" + i).text("application/json", "{}"));
            postroom.publish(
                    Message.to("orders.imported").key("import-" + i % 3).text("application/json", "{}"));
            postroom.publish(Message.to("parcels.sent").key("parcel-" + i).text("application/json", "{}"));
        }
        postroom.publish(
                Message.to("parcels.sent").key("customer-17").text("application/json", "{}"), MessageStatus.SCHEDULED);
        return postroom.publish(
                Message.to("parcels.sent").key("customer-17").type("ParcelSent").text("application/json", "{\"id\":1}"),
                MessageStatus.BLOCKED);
    }

    private void take(Screen screen, String place, String name) {
        screen.page.route(
                "**/api/v1/history",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(madeUpHour())));
        screen.open(place);
        Pages.awaitContent(screen);
        screen.page.screenshot(new Page.ScreenshotOptions().setPath(folder.resolve(name + ".png")));
    }

    private static String madeUpHour() {
        StringJoiner points = new StringJoiner(",", "{\"intervalSeconds\":5,\"points\":[", "]}");
        Instant end = Instant.now();
        for (int i = 719; i >= 0; i--) {
            double wave = Math.sin(i / 60.0) + Math.sin(i / 17.0) / 3;
            boolean late = i < 180;
            points.add(String.format(
                    Locale.ROOT,
                    "{\"at\":\"%s\",\"backlog\":%d,\"dead\":%d,\"deliveredPerSecond\":%.2f,\"failedPerSecond\":%.2f,"
                            + "\"p50Millis\":%.1f,\"p95Millis\":%.1f,\"p99Millis\":%.1f}",
                    end.minusSeconds(5L * i),
                    late ? (180 - i) / 9 : 0,
                    late ? 9 : 0,
                    4 + wave,
                    late ? 0.4 + wave / 8 : 0.02,
                    6 + wave,
                    19 + 3 * wave,
                    (late ? 80 : 31) + 6 * wave));
        }
        return points.toString();
    }
}
