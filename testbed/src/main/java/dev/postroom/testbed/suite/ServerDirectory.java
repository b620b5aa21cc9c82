package dev.postroom.testbed.suite;

import dev.postroom.testbed.SharedServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tells test JVMs where the run's servers are, and starts each when somebody asks for it first. */
final class ServerDirectory implements AutoCloseable {

    private final ServerSocket socket;

    ServerDirectory() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("suite-servers", this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Starts servers that will be asked for, all at the same time. */
    void prepare(List<String> servers) {
        for (String server : servers) {
            start("suite-start-" + server, () -> SharedServers.answer(server));
        }
    }

    private void serve() {
        while (!socket.isClosed()) {
            try {
                Socket caller = socket.accept();
                start("suite-servers-answer", () -> answer(caller));
            } catch (IOException e) {
                // Closed, or a caller that went away while it was let in: the loop's condition knows.
            }
        }
    }

    private static void answer(Socket caller) {
        try (caller;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(
                        new OutputStreamWriter(caller.getOutputStream(), StandardCharsets.UTF_8), true)) {
            out.println(SharedServers.answer(String.valueOf(in.readLine())));
        } catch (IOException e) {
            // The JVM that asked has ended.
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
