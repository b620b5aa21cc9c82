package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of commands of which the client hears nothing more. */
class DeskTest {
    private final List<String> trace = new ArrayList<>();
    private final World world =
            new World(1, SimulationOptions.DEFAULT.allOf(EnumSet.of(Fault.LATE_COMMIT)), trace::add);

    /** So many that some are committed late; from a relay that is gone, and so does not go on. */
    @BeforeEach
    void commands() {
        RelayProcess relay = new RelayProcess(world, new Node(0, world.timeline, false, 0), "relay-0.1");
        relay.crash("for the test");
        DeskWork work = new DeskWork(world, relay.owing());
        for (int i = 0; i < 1_000; i++) {
            new Desk(world, relay, work, Event.ReaderFailed::new).execute(new Command.ReadPauses());
        }
        run(Dice.SECOND / 10);
        trace.clear();
    }

    private void run(long nanos) {
        long until = world.timeline.now() + nanos;
        while (world.timeline.runNext(until)) {}
    }

    private List<String> committedLate() {
        run(2 * world.scenario.leaseNanos());
        return trace.stream().filter(line -> line.contains("commits late")).toList();
    }

    @Test
    void their_server_may_commit_them_later() {
        assertThat(committedLate()).isNotEmpty();
    }

    @Test
    void another_server_that_takes_over_does_not_commit_them() {
        world.database.failOver(0);
        assertThat(committedLate()).isEmpty();
    }
}
