package dev.postroom.fuzz.headers;

import dev.postroom.Message;
import dev.postroom.Stream;
import dev.postroom.admin.view.MessageDetailView;
import dev.postroom.admin.view.ViewJson;
import dev.postroom.fuzz.wire.Forms;
import dev.postroom.jdbc.internal.Headers;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** Whatever stands in a row's headers can be read and shown, and is sent as it is or is a defect with a reason. */
public final class HeadersFuzz {
    private static final RowLimits LIMITS = new RowLimits(65_536, 64, 8_192);

    private final DataSource dataSource = H2.freshDatabase().dataSource();
    private final Operations operations;
    private final UUID id;

    private HeadersFuzz() {
        Store store = Store.open(dataSource, TableNames.DEFAULT);
        store.schema().migrate();
        operations = Operations.as("fuzz", store.operations(), store.maintenance());
        id = Outbox.on(dataSource)
                .publishInOwnTransaction(Message.to("orders").text("text/plain", "x"))
                .id();
    }

    /** When the first input is tried. */
    private static final class Started {
        static final HeadersFuzz FUZZ = new HeadersFuzz();
    }

    public static void tryInput(byte[] input) {
        String stored = new String(input, StandardCharsets.UTF_8).replace("\\ud8 ", "\ud800");
        checkRead(stored, input.length);
        Started.FUZZ.checkShown(stored);
    }

    private static void checkRead(String stored, long bytes) {
        Headers.Parsed parsed = Headers.read(stored, bytes, LIMITS);
        String defect = parsed.defect();
        if (defect != null) {
            if (defect.isBlank() || !parsed.headers().isEmpty()) {
                throw new AssertionError("a defect without a reason, or with headers: " + parsed);
            }
            return;
        }
        String again = Headers.write(parsed.headers());
        Map<String, String> readAgain = Headers.read(again, again == null ? 0 : again.length(), RowLimits.ofPayload(1))
                .headers();
        if (!readAgain.equals(parsed.headers())) {
            throw new AssertionError(parsed.headers() + " became " + readAgain);
        }
        Forms.check(delivery(parsed.headers()), null);
    }

    private void checkShown(String stored) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement update =
                        connection.prepareStatement("UPDATE postroom_message SET headers = ? WHERE id = ?")) {
            update.setString(1, stored);
            update.setObject(2, id);
            update.executeUpdate();
        } catch (SQLIntegrityConstraintViolationException refused) {
            return; // the table has said so before anybody reads it
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        MessageDetail detail = operations.find(id).orElseThrow();
        if (ViewJson.bytes(MessageDetailView.of(detail, detail, Operations.DEFAULT_PAYLOAD_BYTES)).length == 0) {
            throw new AssertionError("nothing is shown");
        }
    }

    private static Delivery delivery(Map<String, String> headers) {
        return new Delivery(
                UUID.nameUUIDFromBytes(new byte[0]),
                1,
                new Stream("", "orders", "1"),
                new Content("created", "application/json", null, headers, "{}".getBytes(StandardCharsets.UTF_8), null),
                Instant.ofEpochSecond(1_800_000_000),
                1,
                Long.MAX_VALUE);
    }
}
