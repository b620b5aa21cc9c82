package dev.postroom.server.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request that is sent byte by byte, as no client library would. */
final class RawRequest implements AutoCloseable {
    /** Less than the 20 s after which a thread gives up that waits for a silent client. */
    private static final int PATIENCE_MILLIS = 15_000;

    private static final int ANY_BUFFER = 64 * 1024;

    private final Socket socket;

    private RawRequest(Socket socket) {
        this.socket = socket;
    }

    /** Sends the head; lines are separated by a bar. */
    static RawRequest begin(WebServer server, String head) throws IOException {
        return connect(server, ANY_BUFFER).send(whole(head));
    }

    /** Sends nothing yet. The client takes about as many bytes as its buffer has without reading them. */
    static RawRequest connect(WebServer server, int receiveBuffer) throws IOException {
        return connect(URI.create(server.url()).getPort(), "127.0.0.1", receiveBuffer);
    }

    /** @param from which address of this machine the client has: to the server, each is somebody else's */
    static RawRequest connect(int port, String from, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(receiveBuffer);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new RawRequest(socket);
    }

    /** A request without a body; lines are separated by a bar. */
    static String whole(String head) {
        return (head + "|Host: localhost||").replace("|", "\r\n");
    }

    RawRequest send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /** Sends a part again and again; how many bytes the server took until it closed the connection. */
    long sendWithoutEnd(String part, long most) throws IOException {
        long sent = 0;
        try {
            while (sent < most) {
                send(part);
                sent += part.length();
            }
        } catch (SocketException closed) {
            // as it should be
        }
        return sent;
    }

    /** The first line of the answer, such as {@code HTTP/1.1 413}; empty when the connection ended without one. */
    String answer() throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
                line.append((char) c);
            }
        } catch (SocketException reset) {
            // what was read before counts
        }
        return line.toString().strip();
    }

    /** Everything that comes until the server closes the connection. */
    String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    InputStream in() throws IOException {
        return socket.getInputStream();
    }

    boolean isAnswered() throws IOException {
        return socket.getInputStream().available() > 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
