package dev.postroom.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessageStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R54")
class PayloadViewTest {
    private static final int MOST = 1_000;

    private static PayloadView view(byte[] read, long stored, @Nullable String encoding) {
        MessageItem item = new MessageItem(
                new UUID(0, 1),
                1,
                new Stream("", "orders", null),
                null,
                MessageStatus.PENDING,
                0,
                Instant.EPOCH,
                null,
                null,
                null,
                null);
        return PayloadView.of(
                new MessageDetail(
                        item,
                        1,
                        "text/plain",
                        encoding,
                        Map.of(),
                        read,
                        stored,
                        null,
                        null,
                        0,
                        List.of(),
                        false,
                        List.of(),
                        null),
                MOST);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }

    @Test
    void text_is_shown_as_text_and_other_bytes_as_base64() {
        assertThat(view(utf8("5 €"), 5, null)).isEqualTo(new PayloadView("5 €", true));
        assertThat(view(new byte[] {(byte) 0xff, 1}, 2, null))
                .isEqualTo(new PayloadView(new PayloadView.Base64("/wE="), true));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void text_that_was_cut_within_its_last_character_is_still_text(int bytesOfTheLast) {
        byte[] bytes = utf8("an eye 👁"); // the last character has four bytes
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 4 + bytesOfTheLast);
        assertThat(view(cut, bytes.length, null)).isEqualTo(new PayloadView("an eye ", false));
        assertThat(view(cut, cut.length, null).content())
                .as("broken from the beginning")
                .isInstanceOf(PayloadView.Base64.class);
    }

    @Test
    void compressed_text_is_shown_unpacked_and_as_base64_where_it_cannot_be() throws IOException {
        byte[] packed = gzip(utf8("text ".repeat(100)));
        assertThat(view(packed, packed.length, "gzip")).isEqualTo(new PayloadView("text ".repeat(100), true));
        assertThat(view(packed, packed.length + 1, "gzip").content())
                .as("cut off, so nobody can unpack it")
                .isInstanceOf(PayloadView.Base64.class);
        assertThat(view(packed, packed.length, "br").content()).isInstanceOf(PayloadView.Base64.class);
    }

    @Test
    void what_unpacks_to_more_than_was_asked_for_is_cut_off_there() throws IOException {
        byte[] packed = gzip(new byte[MOST + 1]);
        PayloadView view = view(packed, packed.length, "gzip");
        assertThat((String) view.content()).hasSize(MOST);
        assertThat(view.isWhole()).isFalse();
        assertThat(view(gzip(new byte[MOST]), gzip(new byte[MOST]).length, "gzip")
                        .isWhole())
                .isTrue();
        assertThat((String) view(new byte[MOST + 1], MOST + 1, null).content())
                .as("redaction has unpacked it")
                .hasSize(MOST);
    }
}
