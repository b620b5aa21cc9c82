package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.operations.Change;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Suspect;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.testkit.simulation.database.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Several watchers, told one after the other. */
final class Watchers implements Watcher {
    private final List<Watcher> all = new ArrayList<>();

    void add(Watcher watcher) {
        all.add(watcher);
    }

    private void tell(Consumer<Watcher> what) {
        for (Watcher watcher : all) {
            what.accept(watcher);
        }
    }

    @Override
    public void commanded(RelayProcess relay, Command command) {
        tell(watcher -> watcher.commanded(relay, command));
    }

    @Override
    public void followed(PageRequest request, PageAnswer answer) {
        tell(watcher -> watcher.followed(request, answer));
    }

    @Override
    public void read(int rows) {
        tell(watcher -> watcher.read(rows));
    }

    @Override
    public void sent(Sending sending) {
        tell(watcher -> watcher.sent(sending));
    }

    @Override
    public void wired(Sending sending) {
        tell(watcher -> watcher.wired(sending));
    }

    @Override
    public void arrived(Sending sending) {
        tell(watcher -> watcher.arrived(sending));
    }

    @Override
    public void told(Sending sending) {
        tell(watcher -> watcher.told(sending));
    }

    @Override
    public void turned(RelayProcess relay) {
        // By far the most frequent of all: a plain loop.
        for (Watcher watcher : all) {
            watcher.turned(relay);
        }
    }

    @Override
    public void ended() {
        tell(Watcher::ended);
    }

    @Override
    public void committed(Row row) {
        tell(watcher -> watcher.committed(row));
    }

    @Override
    public void processed(Row row, String owner) {
        tell(watcher -> watcher.processed(row, owner));
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        tell(watcher -> watcher.failed(row, failure, owner));
    }

    @Override
    public void suspected(Row row, Suspect suspect, String owner) {
        tell(watcher -> watcher.suspected(row, suspect, owner));
    }

    @Override
    public void changed(Row row, Change change) {
        tell(watcher -> watcher.changed(row, change));
    }

    @Override
    public void replayed(Row row) {
        tell(watcher -> watcher.replayed(row));
    }

    @Override
    public void lost(Row row) {
        tell(watcher -> watcher.lost(row));
    }

    @Override
    public void returned(Row row) {
        tell(watcher -> watcher.returned(row));
    }

    @Override
    public void reverted(Row row) {
        tell(watcher -> watcher.reverted(row));
    }

    @Override
    public void acquired(int lane, String owner, @Nullable String before) {
        tell(watcher -> watcher.acquired(lane, owner, before));
    }

    @Override
    public void looked(List<LaneStore.LiveNode> nodes) {
        tell(watcher -> watcher.looked(nodes));
    }

    @Override
    public void released(int lane, String owner) {
        tell(watcher -> watcher.released(lane, owner));
    }
}
