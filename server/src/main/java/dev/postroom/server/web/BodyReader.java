package dev.postroom.server.web;

import dev.postroom.admin.http.Problem;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.function.Consumer;

/** Collects one body as it arrives. The container calls one method at a time. */
final class BodyReader implements ReadListener, AsyncListener {
    private final AsyncContext async;
    private final int most;
    private final BodyRoom room;
    private final Consumer<Object> whenOver;
    private boolean ended;

    /** @param whenOver is given the room with the whole body, or why it is {@link BodyFilter.Refused} */
    BodyReader(AsyncContext async, int most, BodyRoom room, Consumer<Object> whenOver) {
        this.async = async;
        this.most = most;
        this.room = room;
        this.whenOver = whenOver;
    }

    @Override
    public void onDataAvailable() throws IOException {
        ServletInputStream in = async.getRequest().getInputStream();
        byte[] part = new byte[4096];
        while (!ended && in.isReady() && !in.isFinished()) {
            int length = in.read(part);
            if (room.length() + length > most) {
                refuse(BodyFilter.Refused.tooLarge(most));
            } else if (length > 0 && !room.add(part, length)) {
                refuse(BodyFilter.Refused.noRoom());
            }
        }
    }

    @Override
    public void onAllDataRead() {
        end(room);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // After the body the same clock runs for nothing else: its answer is made by a thread of its own.
        refuse(new BodyFilter.Refused(Problem.TIMEOUT, "the body took too long to arrive: send it at once"));
    }

    private void refuse(BodyFilter.Refused why) {
        if (!ended) {
            room.release();
            end(why);
        }
    }

    private void end(Object outcome) {
        if (!ended) {
            ended = true;
            whenOver.accept(outcome);
        }
    }

    /** The client is gone; there is nobody to answer. */
    @Override
    public void onError(Throwable e) {
        if (!ended) {
            ended = true;
            async.complete();
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        onError(event.getThrowable());
    }

    @Override
    public void onComplete(AsyncEvent event) {
        ended = true;
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // nothing here starts it again
    }
}
