package dev.postroom.rabbitmq;

import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * The socket under one connection, to be cut when nothing else helps: closing a connection in an orderly way means to
 * write, and who writes to a peer that does not read waits. Thread-safe.
 */
final class Wire {
    private @Nullable Socket socket;
    private boolean cut;

    /** The socket that the connection is going to use. */
    synchronized void use(Socket used) throws IOException {
        socket = used;
        if (cut) {
            used.close();
        }
    }

    /** Also for a socket that is yet to come. What the system has not sent yet is dropped with it. */
    synchronized void cut() {
        cut = true;
        if (socket != null) {
            try {
                socket.setSoLinger(true, 0);
            } catch (IOException e) {
                // it is closed already
            }
            try {
                socket.close();
            } catch (IOException e) {
                // gone all the same
            }
        }
    }
}
