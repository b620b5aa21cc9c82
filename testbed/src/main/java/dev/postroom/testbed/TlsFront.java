package dev.postroom.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Speaks TLS in front of a server that does not, with a certificate that can be replaced; so a shared server serves tests of
 * TLS too. Safe for use by several threads.
 */
public final class TlsFront implements AutoCloseable {
    private final ServerSocket listener;
    private final int behind;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger handshakes = new AtomicInteger();
    private volatile SSLContext tls;
    private volatile boolean wantsCertificates;

    private TlsFront(ServerSocket listener, int behind, SSLContext tls) {
        this.listener = listener;
        this.behind = behind;
        this.tls = tls;
    }

    /** In front of this port of 127.0.0.1. */
    public static TlsFront to(int port, Identity shown) {
        try {
            ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            TlsFront front = new TlsFront(listener, port, shown.context());
            front.run(front::accept);
            return front;
        } catch (IOException e) {
            throw new TestbedException("no TLS in front of port " + port, e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** How many connections have got past the handshake. */
    public int handshakes() {
        return handshakes.get();
    }

    /** New connections see this certificate; those that there are break. */
    public void show(Identity other) {
        tls = other.context();
        disconnect();
    }

    /** From now on a client must have a certificate of the same authority; connections that there are break. */
    public void demandCertificates() {
        wantsCertificates = true;
        disconnect();
    }

    private void disconnect() {
        sockets.forEach(TlsFront::close);
        sockets.clear();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket plain = listener.accept();
                run(() -> serve(plain));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket plain) {
        sockets.add(plain);
        try (SSLSocket client = (SSLSocket) tls.getSocketFactory().createSocket(plain, null, true)) {
            client.setUseClientMode(false);
            client.setNeedClientAuth(wantsCertificates);
            client.startHandshake();
            handshakes.incrementAndGet();
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), behind)) {
                sockets.add(server);
                run(() -> pump(server, client));
                pump(client, server);
            }
        } catch (IOException e) {
            close(plain); // a refused handshake, which is what tests are about
        } finally {
            sockets.remove(plain);
        }
    }

    private void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] part = new byte[8_192];
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                out.write(part, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // either end is gone
        } finally {
            close(from);
            close(to);
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void run(Runnable work) {
        Thread thread = new Thread(work, "testbed-tls-" + port());
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // gone all the same
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            // gone all the same
        }
        disconnect();
    }
}
