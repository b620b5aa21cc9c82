package dev.postroom.server.web;

import java.io.IOException;
import java.time.Duration;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP with a deadline for a request's line and headers as a whole: Tomcat's own begins anew with every byte. Made by Tomcat,
 * by its name.
 */
public final class PunctualHttp extends Http11NioProtocol {
    static final Duration DEADLINE = Duration.ofSeconds(5);

    /**
     * Only what is refused before it reaches a filter is written while a thread waits: a line or two, which fits into the socket's
     * buffer but for clients that have not read what they were sent before.
     */
    private static final long BLOCKING_WRITE_MILLIS = 200;

    @Override
    protected Processor createProcessor() {
        return new PunctualProcessor(this, getAdapter());
    }

    private static final class PunctualProcessor extends Http11Processor {
        private final AbstractHttp11Protocol<?> protocol;
        /** Whose request has begun and not all of its head has come. Tomcat uses a processor again, for other sockets. */
        private @Nullable SocketWrapperBase<?> awaited;

        private long began;

        PunctualProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
            super(protocol, adapter);
            this.protocol = protocol;
        }

        /** Called whenever something has arrived of a request that nobody works on yet. */
        @Override
        public SocketState service(SocketWrapperBase<?> socket) throws IOException {
            long now = System.nanoTime();
            if (socket != awaited) {
                began = now;
            } else if (now - began > DEADLINE.toNanos()) {
                awaited = null;
                return SocketState.CLOSED;
            }
            SocketState state = super.service(socket);
            awaited = state == SocketState.LONG && !isAsync() ? socket : null;
            return state;
        }

        /** Called for everything that happens to a connection. What filters do without a thread has deadlines of its own. */
        @Override
        public SocketState process(SocketWrapperBase<?> socket, SocketEvent status) throws IOException {
            socket.setWriteTimeout(BLOCKING_WRITE_MILLIS);
            SocketState state = super.process(socket, status);
            if (isAsync()) {
                socket.setWriteTimeout(protocol.getConnectionTimeout());
            }
            return state;
        }
    }
}
