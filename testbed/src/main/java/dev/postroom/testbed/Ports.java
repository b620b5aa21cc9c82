package dev.postroom.testbed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that come back on the same port.
 *
 * <p>They lie below those that the system gives to outgoing connections: one of those could take the port while the
 * server is down, or be its own server, when a client that tries again and again happens to get the very port it calls.
 */
final class Ports {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 200;

    private Ports() {}

    /** The first of so many consecutive ports that are free now. */
    static int free(int count) throws IOException {
        for (int tried = 0; tried < TRIES; tried++) {
            int first = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (areFree(first, count)) {
                return first;
            }
        }
        throw new IOException("no " + count + " consecutive free ports between " + FIRST + " and " + LAST);
    }

    private static boolean areFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException taken) {
                return false;
            }
        }
        return true;
    }
}
