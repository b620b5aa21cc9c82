package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients who take their answers in small steps, over connections that hold little: they get every byte. */
@Tag("R55")
class SlowReaderTest {
    private static final int SMALL_BUFFER = 4096;
    private static final int STEP = 512;

    @TempDir
    static Path folder;

    private static final UnsentAnswers UNSENT = new UnsentAnswers(Long.MAX_VALUE);
    private static BareTomcat server;

    @BeforeAll
    static void start() throws Exception {
        server = new BareTomcat(
                folder,
                connector -> {
                    connector.setProperty("socket.txBufSize", Integer.toString(SMALL_BUFFER));
                    connector.setProperty("compression", "on");
                    connector.setProperty("compressibleMimeType", "application/json");
                },
                new Digits(),
                new AnswerFilter(UNSENT));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** As many digits as the query says. */
    private static final class Digits extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/json");
            response.getOutputStream().write(digits(Integer.parseInt(request.getQueryString())));
        }
    }

    /** The same for the same length, and such that half of it is left when it is compressed. */
    private static byte[] digits(int length) {
        SplittableRandom random = new SplittableRandom(length);
        byte[] digits = new byte[length];
        for (int i = 0; i < length; i++) {
            digits[i] = (byte) ('0' + random.nextInt(10));
        }
        return digits;
    }

    /** Lengths around what the connection holds, so that for some of them only the end is left. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void every_byte_comes_however_late_it_is_read(boolean compressed, boolean last) throws Exception {
        String head = " HTTP/1.1" + (compressed ? "|Accept-Encoding: gzip" : "") + (last ? "|Connection: close" : "");
        for (int length = 2_100; length < 60_000; length += 2_100) {
            int before = server.ended();
            try (RawRequest client = RawRequest.connect(server.port(), "127.0.0.1", SMALL_BUFFER)) {
                client.send(RawRequest.whole("GET /?" + length + head));
                await().atMost(Duration.ofSeconds(30))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> UNSENT.bytes() > 0 || server.ended() > before);
                assertThat(answer(new StepByStep(client.in())))
                        .as("%d bytes", length)
                        .isEqualTo(digits(length));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> UNSENT.bytes() == 0);
        }
    }

    /** Gives at most a few bytes at a time. */
    private static final class StepByStep extends FilterInputStream {
        StepByStep(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return super.read(into, offset, Math.min(length, STEP));
        }
    }

    private static byte[] answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.append(line).append('\n');
        }
        String fields = head.toString();
        assertThat(fields).startsWith("HTTP/1.1 200");
        if (fields.contains("Content-Encoding: gzip")) {
            return new GZIPInputStream(new ByteArrayInputStream(chunks(in))).readAllBytes();
        }
        return in.readNBytes(Integer.parseInt(fields.replaceAll("(?s).*Content-Length: (\\d+).*", "$1")));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int size = chunk(in); size > 0; size = chunk(in)) {
            whole.write(in.readNBytes(size));
            line(in);
        }
        line(in);
        return whole.toByteArray();
    }

    private static int chunk(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
