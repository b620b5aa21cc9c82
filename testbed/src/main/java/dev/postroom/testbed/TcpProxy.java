package dev.postroom.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server, and makes the network bad: nothing gets through, answers get lost, connections
 * break, nobody listens. Safe for use by several threads.
 */
public final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress server;
    private final int port;
    private final Gate requests = new Gate();
    private final Gate answers = new Gate();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private @Nullable ServerSocket listener;
    private @Nullable Thread accepting;

    private TcpProxy(InetSocketAddress server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Listens on a port of its own. */
    public static TcpProxy to(String host, int port) {
        try {
            TcpProxy proxy = new TcpProxy(new InetSocketAddress(host, port), Ports.free(1));
            proxy.accept();
            return proxy;
        } catch (IOException e) {
            throw new TestbedException("no proxy to " + host + ":" + port, e);
        }
    }

    public int port() {
        return port;
    }

    /** Nothing gets through any more, in either direction; no connection breaks, the sender's buffers fill up. */
    public void stall() {
        requests.close();
        answers.close();
    }

    /** What the client says gets through, what the server answers does not. */
    public void stallAnswers() {
        answers.close();
    }

    /** All gets through again, also what was held back. */
    public void flow() {
        requests.open();
        answers.open();
    }

    /** Breaks all connections; what was held back is lost. */
    public void cut() {
        // Each on its own: clearing the set would forget one that came meanwhile and is still open.
        sockets.removeIf(socket -> {
            closeQuietly(socket);
            return true;
        });
    }

    /** Refuses new connections and breaks the others. */
    public synchronized void refuse() {
        closeQuietly(listener);
        listener = null;
        cut();
        awaitEnd(accepting); // until then it may accept, and the port is taken
        accepting = null;
    }

    private static void awaitEnd(@Nullable Thread thread) {
        try {
            if (thread != null) {
                thread.join(10_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Accepts connections again. */
    public synchronized void accept() {
        if (listener != null) {
            return;
        }
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            listener = socket;
            accepting = start("accept", () -> acceptFrom(socket));
        } catch (IOException e) {
            throw new TestbedException("the proxy cannot listen on port " + port, e);
        }
    }

    private void acceptFrom(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                sockets.add(client);
                Socket target = new Socket();
                sockets.add(target);
                connect(client, target);
            } catch (IOException e) {
                // closed: the loop ends
            }
        }
        cut(); // what was accepted while the listener was being closed
    }

    private void connect(Socket client, Socket target) {
        try {
            target.connect(server, 5_000);
            var unused = start("requests", () -> pump(client, target, requests)); // they end with their sockets
            unused = start("answers", () -> pump(target, client, answers));
        } catch (IOException e) {
            end(client, target);
        }
    }

    private void pump(Socket from, Socket to, Gate gate) {
        byte[] buffer = new byte[8_192];
        try {
            while (true) {
                gate.await();
                int count = from.getInputStream().read(buffer);
                if (count < 0) {
                    break;
                }
                gate.await(); // what was read while the gate was being closed waits too
                to.getOutputStream().write(buffer, 0, count);
            }
        } catch (IOException e) {
            // either side is gone, so is the other
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(from, to);
        }
    }

    private void end(Socket one, Socket other) {
        closeQuietly(one);
        closeQuietly(other);
        sockets.remove(one);
        sockets.remove(other);
    }

    private static Thread start(String what, Runnable work) {
        Thread thread = new Thread(work, "testbed-proxy-" + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void closeQuietly(@Nullable AutoCloseable socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (Exception e) {
            // it is gone all the same
        }
    }

    @Override
    public void close() {
        refuse();
        flow();
    }

    /** Lets threads through, or keeps them waiting. */
    private static final class Gate {
        private boolean open = true;

        synchronized void await() throws InterruptedException {
            while (!open) {
                wait();
            }
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        synchronized void close() {
            open = false;
        }
    }
}
