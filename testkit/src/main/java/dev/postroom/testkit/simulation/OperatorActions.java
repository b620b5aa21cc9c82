package dev.postroom.testkit.simulation;

import dev.postroom.operations.Change;
import dev.postroom.operations.Pause;
import dev.postroom.testkit.simulation.database.Row;
import dev.postroom.testkit.simulation.database.SimulatedDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Operators who do whatever they can, to whatever they see. */
final class OperatorActions {
    private static final List<Pause.Target> TARGETS = List.of(
            Pause.Target.EVERYTHING,
            Pause.Target.destination("broker"),
            Pause.Target.destination("audit"),
            Pause.Target.topic("clicks"),
            Pause.Target.topic("orders.paid"));

    private final World world;
    private final SimulatedDatabase database;
    private final Dice dice;
    private final Map<Pause.Target, Long> pausedAt = new HashMap<>();

    OperatorActions(World world) {
        this.world = world;
        this.database = world.database;
        this.dice = world.newDice();
    }

    /** One action, to a message that is there. */
    void act() {
        List<Row> rows = database.rows();
        if (rows.isEmpty() || world.isDatabaseDown()) {
            return;
        }
        Row row = dice.pick(rows);
        if (dice.chance(0.2) && row.stream().isOrdered()) {
            database.operator().releaseStream(row.stream());
        } else {
            database.operator()
                    .change(dice.pick(List.of(Change.values())), row.key().id());
        }
    }

    /** Sends something of the archive again, to one destination. */
    void replay() {
        if (!world.isDatabaseDown()) {
            MessageStory first = world.ledger.archived(dice);
            if (first != null) {
                database.operator().replay(first.key.id(), dice.pick(Scenario.DESTINATIONS));
            }
        }
    }

    /** Pauses something, and resumes it after a while. */
    void pause() {
        if (world.isDatabaseDown()) {
            return;
        }
        Pause.Target target = dice.pick(TARGETS);
        pause(target);
        world.timeline.after(dice.millis(100, 20_000), () -> resume(target));
    }

    void pause(Pause.Target target) {
        database.operator().pause(target);
        pausedAt.put(target, world.timeline.now());
        world.ledger.note("operator pauses " + target.describe());
    }

    /** In virtual time: the database's clock may have been set since. */
    long pausedAt(Pause.Target target) {
        return pausedAt.getOrDefault(target, 0L);
    }

    private void resume(Pause.Target target) {
        if (database.operator().resume(target)) {
            world.ledger.note("operator resumes " + target.describe());
        }
    }

    /** What a patient operator does at last: nothing stays paused. */
    void resumeAll() {
        database.operator().pauses().forEach(pause -> resume(pause.target()));
    }
}
