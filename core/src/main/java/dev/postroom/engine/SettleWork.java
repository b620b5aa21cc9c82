package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import java.util.ArrayList;
import java.util.List;

/**
 * What the settler is given at once. Suspects never come together with others.
 *
 * @param archive whether rows that leave are kept in the archive
 * @param releases lanes to be given back when all of it is recorded
 */
public record SettleWork(List<Settlement> settlements, boolean archive, List<LaneStore.Lease> releases) {

    public static SettleWork of(Settlement one, boolean archive) {
        return new SettleWork(List.of(one), archive, List.of());
    }

    public Command.ForSettler command(String owner) {
        List<MessageSettler.Success> successes = new ArrayList<>(settlements.size());
        List<MessageSettler.Failure> failures = new ArrayList<>();
        List<MessageSettler.Suspect> suspects = new ArrayList<>();
        for (Settlement settlement : settlements) {
            if (settlement instanceof Settlement.Delivered delivered) {
                successes.add(delivered.success());
            } else if (settlement instanceof Settlement.Failed failed) {
                failures.add(failed.failure());
            } else {
                suspects.add(((Settlement.Suspected) settlement).suspect());
            }
        }
        return suspects.isEmpty()
                ? new Command.Settle(new MessageSettler.Batch(owner, successes, failures, archive, releases))
                : new Command.Suspect(owner, suspects);
    }

    /** Whether it is one settlement and nothing else, so that a refusal is about that one. */
    public boolean isSingle() {
        return settlements.size() == 1 && releases.isEmpty();
    }

    /** In halves, each to be recorded by itself. Lanes to be given back are asked for again after all of them. */
    public List<SettleWork> split() {
        List<SettleWork> pieces = new ArrayList<>();
        int half = (settlements.size() + 1) / 2;
        pieces.add(new SettleWork(settlements.subList(0, half), archive, List.of()));
        if (half < settlements.size()) {
            pieces.add(new SettleWork(settlements.subList(half, settlements.size()), archive, List.of()));
        }
        return pieces;
    }

    public boolean concerns(HeldLane lane) {
        for (Settlement settlement : settlements) {
            Settlement.Subject subject = settlement.subject();
            if (subject != null && subject.lane() == lane) {
                return true;
            }
        }
        return false;
    }
}
