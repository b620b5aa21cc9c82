package dev.postroom.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that does to its connections what a web server would not. */
final class RawReceiver implements AutoCloseable {
    private final ServerSocket server;
    private final Behaviour behaviour;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();

    interface Behaviour {
        /** After the head of a request was read; the connection stays open until the receiver is closed. */
        void respond(Socket socket, OutputStream out) throws IOException, InterruptedException;
    }

    RawReceiver(Behaviour behaviour) throws IOException {
        this.behaviour = behaviour;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "raw-receiver");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket socket) {
        try {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            String line = in.readLine();
            while (line != null && !line.isEmpty()) {
                line = in.readLine();
            }
            requests.incrementAndGet();
            behaviour.respond(socket, socket.getOutputStream());
        } catch (IOException | InterruptedException closed) {
            // The client or the test has ended it.
        }
    }

    static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    int requests() {
        return requests.get();
    }

    /** Connections that the other side still holds open. */
    long openConnections() {
        return sockets.stream().filter(RawReceiver::isOpen).count();
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(20);
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException quiet) {
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hooks";
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
