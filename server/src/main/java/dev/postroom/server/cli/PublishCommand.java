package dev.postroom.server.cli;

import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.Published;
import dev.postroom.server.database.Installation;
import dev.postroom.server.view.PublishedView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "publish",
        description = "Writes one message to the outbox, in a transaction of its own.",
        footer = {
            "",
            "Examples:",
            "  postroom publish --topic orders.created --key 42 --data '{\"id\":42}'",
            "  postroom publish --topic orders.created --idempotency-key order-42 --data-file order.json"
        })
final class PublishCommand extends PostroomCommand {
    /** More is never accepted, so a wrong file does not fill the memory. */
    private static final int MOST_BYTES = 64 * 1024 * 1024;

    @Option(names = "--topic", required = true, paramLabel = "TOPIC", order = 1, description = "What routes it.")
    private String topic = "";

    @Option(names = "--key", paramLabel = "KEY", order = 2, description = "What orders it among others of its topic.")
    private @Nullable String key;

    @Option(names = "--type", paramLabel = "TYPE", order = 3, description = "Its logical event name.")
    private @Nullable String type;

    @Option(names = "--tenant", paramLabel = "TENANT", order = 4, description = "On whose behalf.")
    private String tenant = "";

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            order = 5,
            description = "Publishing again with the same key changes nothing.")
    private @Nullable String idempotencyKey;

    @Option(names = "--header", paramLabel = "NAME=VALUE", order = 6, description = "A header; may be repeated.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(
            names = "--deliver-after",
            paramLabel = "DURATION",
            order = 7,
            description = "Not before so long from now: 500ms, 10s, 5m, 7d.")
    private @Nullable Duration deliverAfter;

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            order = 8,
            description = "Media type; default: application/json, text/plain or application/octet-stream, whichever the"
                    + " data is.")
    private @Nullable String contentType;

    @Option(names = "--source", paramLabel = "URI", order = 9, description = "Its CloudEvents source.")
    private @Nullable String source;

    @ArgGroup(multiplicity = "1")
    private Data data = new Data();

    static final class Data {
        @Option(names = "--data", required = true, paramLabel = "TEXT", order = 10, description = "The payload.")
        private @Nullable String text;

        @Option(
                names = "--data-file",
                required = true,
                paramLabel = "FILE",
                order = 11,
                description = "The payload as it is in a file; - for standard input.")
        private @Nullable String file;
    }

    @Override
    public Integer call() {
        byte[] payload = payload();
        String mediaType = contentType != null ? contentType : MediaType.of(payload);
        Message message = Message.to(topic)
                .key(key)
                .type(type)
                .tenant(tenant)
                .idempotencyKey(idempotencyKey)
                .headers(headers)
                .source(source)
                .bytes(mediaType, payload);
        Installation installation = root().installation();
        Published published = installation
                .outbox()
                .publishInOwnTransaction(deliverAfter == null ? message : message.deliverAfter(deliverAfter));
        print(
                PublishedView.of(published),
                () -> out().println(
                                published.alreadyExisted()
                                        ? published.id() + " had this idempotency key already: nothing was written."
                                        : published.id().toString()));
        return SUCCESS;
    }

    private byte[] payload() {
        if (data.text != null) {
            return data.text.getBytes(StandardCharsets.UTF_8);
        }
        String file = String.valueOf(data.file);
        try (InputStream in = file.equals("-")
                ? terminal().in()
                : Files.newInputStream(root().surroundings().directory().resolve(Path.of(file)))) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new PostroomException(file + " has more than " + MOST_BYTES
                        + " bytes, more than any message may have: send a reference to the data instead");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new PostroomException("there is no file " + file + ": check --data-file", e);
        } catch (IOException e) {
            throw new PostroomException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
