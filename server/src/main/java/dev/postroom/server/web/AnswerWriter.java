package dev.postroom.server.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writes one answer, as much at a time as the client takes. The container calls one method at a time. */
final class AnswerWriter implements WriteListener, AsyncListener {
    private static final int PART = 16 * 1024;

    private final AsyncContext async;
    private final UnsentAnswers unsent;
    private final int length;
    private volatile byte @Nullable [] content;
    private int sent;
    private boolean closed;
    private boolean ended;

    AnswerWriter(AsyncContext async, byte[] content, UnsentAnswers unsent) {
        this.async = async;
        this.content = content;
        this.length = content.length;
        this.unsent = unsent;
    }

    int length() {
        return length;
    }

    /** Called by anybody, when there is no room for it any more. */
    void forget() {
        content = null;
    }

    @Override
    public void onWritePossible() throws IOException {
        ServletOutputStream out = async.getResponse().getOutputStream();
        while (!ended && out.isReady()) {
            if (closed) {
                end();
            } else if (sent == length) {
                // Buffers and compression pass on what they have kept back. It may not all fit into the connection, and
                // what is
                // not in there when the request is completed would be lost: the stream says that it is by being ready
                // again.
                closed = true;
                out.close();
            } else {
                write(out);
            }
        }
        if (!ended) {
            unsent.add(this);
        }
    }

    private void write(ServletOutputStream out) throws IOException {
        byte[] bytes = content;
        if (bytes == null) {
            throw new IOException("the answer was given up: the client takes it too slowly");
        }
        int part = Math.min(PART, length - sent);
        out.write(bytes, sent, part);
        sent += part;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        CutValve.cut(async.getRequest());
        end();
    }

    /** The client is gone. */
    @Override
    public void onError(Throwable e) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    private void end() {
        if (!ended) {
            ended = true;
            unsent.remove(this);
            async.complete();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        ended = true;
        unsent.remove(this);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // nothing here starts it again
    }
}
