package dev.postroom.testkit.simulation;

import dev.postroom.operations.Pause;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Suspect;
import dev.postroom.testkit.simulation.database.Row;

/** I8: a relay writes nothing over an operator's change that it has not read, and keeps to pauses. */
final class OperatorCheck implements Watcher {
    private final World world;

    OperatorCheck(World world) {
        this.world = world;
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        requireRead(row, failure.version(), owner);
    }

    @Override
    public void suspected(Row row, Suspect suspect, String owner) {
        requireRead(row, suspect.version(), owner);
    }

    private void requireRead(Row row, int version, String owner) {
        MessageStory story = world.ledger.story(row.key());
        if (version < story.operatorVersion) {
            throw new Violation(
                    Invariant.I8,
                    story.key,
                    owner + " decided on version " + version + " and wrote over an operator's "
                            + story.operatorVersion);
        }
    }

    /** A pause is read now and then; a relay whose database fails it may be later. */
    @Override
    public void sent(Sending sending) {
        long grace = 4 * Math.max(world.scenario.leaseNanos(), Dice.SECOND);
        String topic = sending.story.stream.topic();
        for (Pause pause : world.database.operator().pauses()) {
            Pause.Target target = pause.target();
            boolean meant = target.equals(Pause.Target.EVERYTHING)
                    || topic.equals(target.topic())
                    || sending.destination.equals(target.destination());
            long since = world.operators().pausedAt(target);
            if (meant && since + grace < world.timeline.now() && !sending.relay.troubledSince(since)) {
                throw new Violation(
                        Invariant.I8,
                        sending.story.key,
                        sending.relay.name() + " sends though " + target.describe() + " is paused since "
                                + Ledger.time(since));
            }
        }
    }
}
