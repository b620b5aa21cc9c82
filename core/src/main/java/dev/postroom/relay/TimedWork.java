package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.StreamRead;

/** A desk's work, whose listener is told how long reading and settling took. */
final class TimedWork<C extends Command> implements DeskWork<C> {
    private final DeskWork<C> work;
    private final RelayListener listener;

    TimedWork(DeskWork<C> work, RelayListener listener) {
        this.work = work;
        this.listener = listener;
    }

    @Override
    public Event answer(C command) {
        long begun = System.nanoTime();
        Event answer = work.answer(command);
        long took = System.nanoTime() - begun;
        if (answer instanceof Event.Followed followed) {
            listener.read(rows(followed.answer()), took);
        } else if (answer instanceof Event.StreamsRead read) {
            listener.read(rows(read.read()), took);
        } else if (answer instanceof Event.BatchSettled && command instanceof Command.Settle settle) {
            MessageSettler.Batch batch = settle.batch();
            listener.settled(batch.successes().size() + batch.failures().size(), took);
        }
        return answer;
    }

    private static int rows(PageAnswer answer) {
        if (!(answer instanceof PageAnswer.Page page)) {
            return 0;
        }
        int rows = page.late().size() + page.due().rows().size();
        for (PageAnswer.RangeRows range : page.ranges()) {
            rows += range.rows().size();
        }
        return rows;
    }

    private static int rows(StreamRead read) {
        int rows = 0;
        for (StreamRead.Rows stream : read.streams()) {
            rows += stream.rows().size();
        }
        return rows;
    }

    @Override
    public Event failed(String error) {
        return work.failed(error);
    }

    @Override
    public void cancel() {
        work.cancel();
    }

    @Override
    public void close() {
        work.close();
    }
}
