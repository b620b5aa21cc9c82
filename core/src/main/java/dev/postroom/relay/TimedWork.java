package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.MessageSettler;

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
        if (answer instanceof Event.PageRead read) {
            listener.read(read.page().rows().size(), took);
        } else if (answer instanceof Event.RowsRead read) {
            listener.read(read.rows().size(), took);
        } else if (answer instanceof Event.BatchSettled && command instanceof Command.Settle settle) {
            MessageSettler.Batch batch = settle.batch();
            listener.settled(batch.successes().size() + batch.failures().size(), took);
        }
        return answer;
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
