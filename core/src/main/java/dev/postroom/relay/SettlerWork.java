package dev.postroom.relay;

import dev.postroom.RefusedDataException;
import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.MessageSettler;

/** Records what became of messages. */
final class SettlerWork implements DeskWork<Command.ForSettler> {
    private final MessageSettler settler;

    SettlerWork(MessageSettler settler) {
        this.settler = settler;
    }

    @Override
    public Event answer(Command.ForSettler command) {
        try {
            return record(command);
        } catch (RefusedDataException e) {
            return new Event.SettlerFailed(Errors.describe(e), true);
        }
    }

    private Event record(Command.ForSettler command) {
        if (command instanceof Command.Settle settle) {
            return new Event.BatchSettled(settler.settle(settle.batch()));
        }
        Command.Suspect suspect = (Command.Suspect) command;
        return new Event.Suspected(settler.suspect(suspect.owner(), suspect.suspects()));
    }

    @Override
    public Event failed(String error) {
        return new Event.SettlerFailed(error);
    }

    @Override
    public void cancel() {
        settler.cancel();
    }

    @Override
    public void close() {
        settler.close();
    }
}
