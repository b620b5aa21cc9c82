package dev.postroom.fuzz.rest;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A client that sends any bytes, over one connection as long as the server keeps it. For one thread. */
final class WireClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final int port;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    WireClient(int port) {
        this.port = port;
    }

    /** @throws IOException when the connection ended before the answer did */
    HttpAnswer send(byte[] request, boolean hasBodyInAnswer) throws IOException {
        try {
            Socket open = socket();
            long started = System.nanoTime();
            open.getOutputStream().write(request);
            return answer(hasBodyInAnswer, started);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private Socket socket() throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket(InetAddress.getLoopbackAddress(), port);
            open.setSoTimeout(PATIENCE_MILLIS);
            open.setTcpNoDelay(true);
            in = new BufferedInputStream(open.getInputStream());
            socket = open;
        }
        return open;
    }

    private HttpAnswer answer(boolean hasBody, long started) throws IOException {
        String first = line();
        int status = Integer.parseInt(first.split(" ", -1)[1]);
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        byte[] body = !hasBody || status == 204 || status == 304 ? new byte[0] : body(headers);
        long nanos = System.nanoTime() - started;
        if (headers.getOrDefault("connection", "").equals("close")) {
            close();
        }
        return new HttpAnswer(status, headers, uncompressed(headers, body), nanos);
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (headers.containsKey("content-length")) {
            return exactly(Integer.parseInt(headers.get("content-length")));
        }
        if (!headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            byte[] rest = stream().readAllBytes();
            close();
            return rest;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int length = chunk(); length > 0; length = chunk()) {
            body.writeBytes(exactly(length));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int chunk() throws IOException {
        return Integer.parseInt(line().split(";", -1)[0].strip(), 16);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = stream().readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = stream().read(); c != '\n'; c = stream().read()) {
            if (c < 0) {
                throw new EOFException("the connection ended without an answer");
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    private InputStream stream() throws IOException {
        if (in == null) {
            throw new EOFException("there is no connection");
        }
        return in;
    }

    private static byte[] uncompressed(Map<String, String> headers, byte[] body) throws IOException {
        if (body.length == 0 || !headers.getOrDefault("content-encoding", "").equals("gzip")) {
            return body;
        }
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return plain.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        Socket open = socket;
        socket = null;
        in = null;
        if (open != null) {
            open.close();
        }
    }
}
