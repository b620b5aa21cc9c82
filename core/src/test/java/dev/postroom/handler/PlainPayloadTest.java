package dev.postroom.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.postroom.FailureReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R11")
class PlainPayloadTest {

    private static byte[] packed(String... parts) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String part : parts) {
            try (GZIPOutputStream gzip = new GZIPOutputStream(all)) {
                gzip.write(part.getBytes(StandardCharsets.UTF_8));
            }
        }
        return all.toByteArray();
    }

    private static void check(byte[] packed, String plain) {
        assertThat(PlainPayload.of("gzip", packed))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(plain);
        assertThat(PlainPayload.length("gzip", packed)).isEqualTo(plain.length());
    }

    private static void refused(byte[] packed) {
        assertThatThrownBy(() -> PlainPayload.of("gzip", packed))
                .isInstanceOfSatisfying(
                        DeliveryFailedException.class,
                        e -> assertThat(e.reason()).isEqualTo(FailureReason.SERIALIZATION));
        assertThatThrownBy(() -> PlainPayload.length("gzip", packed)).isInstanceOf(DeliveryFailedException.class);
    }

    @Test
    void is_what_it_was_before_compression() throws IOException {
        check(packed("large"), "large");
        check(packed(""), "");
        check(packed("x".repeat(1 << 20)), "x".repeat(1 << 20));
    }

    @Test
    void what_was_not_compressed_is_as_it_is() {
        byte[] payload = {1, 2};
        assertThat(PlainPayload.of(null, payload)).isSameAs(payload);
        assertThat(PlainPayload.length(null, payload)).isEqualTo(2);
    }

    /** As gzip allows it, and some senders write it: each part has a length of its own. */
    @Test
    void may_have_several_parts() throws IOException {
        check(packed("one", "two and", ""), "onetwo and");
        check(packed("a".repeat(10), "b".repeat(10)), "a".repeat(10) + "b".repeat(10));
        check(packed("", "last"), "last");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 6, 7, Integer.MAX_VALUE, -1})
    @Tag("R60")
    void a_length_that_is_not_true_is_refused(int told) throws IOException {
        byte[] packed = packed("short");
        for (int i = 0; i < 4; i++) {
            packed[packed.length - 4 + i] = (byte) (told >>> (8 * i));
        }
        refused(packed);
    }

    @Test
    @Tag("R60")
    void a_length_that_is_not_true_costs_no_memory() throws IOException {
        byte[] noise = new byte[70_000];
        new Random(1).nextBytes(noise);
        byte[] packed = packed(HexFormat.of().formatHex(noise));
        packed[packed.length - 1] = 3; // 48 MiB and more
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> PlainPayload.of("gzip", packed)).isInstanceOf(DeliveryFailedException.class);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
    }

    @Test
    @Tag("R60")
    void what_is_no_gzip_is_refused() throws IOException {
        refused(new byte[0]);
        refused(new byte[] {1, 2});
        refused(new byte[] {1, 2, 3, 4, 0, 0, 0, 0});
        byte[] cut = packed("something");
        refused(java.util.Arrays.copyOf(cut, cut.length - 9));
        assertThatThrownBy(() -> PlainPayload.of("br", cut)).hasMessageContaining("'br', expected gzip");
    }
}
