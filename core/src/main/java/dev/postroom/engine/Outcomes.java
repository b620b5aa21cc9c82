package dev.postroom.engine;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowKey;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** What a transport's answer means for the message, for the destination, and for those who wait. */
final class Outcomes {
    private final EngineState state;
    private final Settling settling;
    /** On their way when their lane was lost: a success is still recorded, because it happened. */
    private final Map<UUID, Entry> orphans = new HashMap<>();

    Outcomes(EngineState state, Settling settling) {
        this.state = state;
        this.settling = settling;
    }

    void orphan(Entry entry) {
        for (long rest = entry.inFlight; rest != 0; rest &= rest - 1) {
            endProbe(entry, state.name(Long.lowestOneBit(rest)));
        }
        orphans.put(entry.key().id(), entry);
    }

    void replied(RowKey key, String destination, Outcome outcome) {
        long bit = state.routes.mask(destination);
        Entry entry = state.memory.find(key.id());
        if (entry == null || (entry.inFlight & bit) == 0) {
            orphanReplied(key, bit, outcome);
            return;
        }
        entry.inFlight &= ~bit;
        entry.lane.movedAt = state.nanos();
        boolean probed = endProbe(entry, destination);
        if (outcome instanceof Outcome.Failed failed) {
            failed(entry, destination, failed, probed);
            if (entry.suspect && entry.cleared && entry.inFlight == 0 && entry.failure == null && !entry.settling) {
                settling.acquit(entry);
            }
        } else {
            state.memory.confirmed(entry, bit);
            state.pulse.delivered(state.now, entry.row);
            state.listener.delivered(entry.row, destination);
            state.gates.noteConfirmed(destination);
            if (state.gates.hasBreakers()) {
                boolean isBack = state.gates.isClosed(GateKey.breaker(destination, null));
                state.open(GateKey.breaker(destination, null), "it confirmed a message");
                state.open(GateKey.breaker(destination, entry.topic()), "it confirmed a message");
                if (isBack) {
                    state.gates.probeTopicsNow(destination, state.nanos());
                }
            }
        }
        state.memory.ready.add(entry);
    }

    private void orphanReplied(RowKey key, long bit, Outcome outcome) {
        Entry orphan = orphans.get(key.id());
        if (orphan == null || (orphan.inFlight & bit) == 0) {
            return;
        }
        orphan.inFlight &= ~bit;
        if (outcome instanceof Outcome.Confirmed) {
            orphan.done |= bit;
            settling.succeedOrphan(orphan);
        }
        if (orphan.inFlight == 0) {
            orphans.remove(key.id());
        }
    }

    boolean hasOrphans() {
        return !orphans.isEmpty();
    }

    /** Whether this was a probe; the next one comes after a pause, which {@link #hold} prolongs when this one failed. */
    private boolean endProbe(Entry entry, String destination) {
        if (!state.gates.hasBreakers()) {
            return false;
        }
        boolean probed = false;
        for (GateKey key :
                new GateKey[] {GateKey.breaker(destination, null), GateKey.breaker(destination, entry.topic())}) {
            Gates.Gate gate = state.gates.gate(key);
            if (gate != null && gate.probe == entry) {
                gate.probe = null;
                gate.nextProbe = state.nanos() + state.probePause(gate).toNanos();
                probed = true;
            }
        }
        return probed;
    }

    private void failed(Entry entry, String destination, Outcome.Failed failed, boolean probed) {
        switch (failed.scope()) {
            case MESSAGE -> {
                blame(entry, destination, failed);
                if (probed) {
                    // It answered about the message, so it is there.
                    state.open(GateKey.breaker(destination, null), "it answers again");
                }
            }
            case UNCLEAR -> {
                if (state.gates.blamesMessage(destination)) {
                    blame(entry, destination, failed);
                } else {
                    hold(GateKey.breaker(destination, null), failed, probed);
                }
            }
            case NOT_SENT -> {
                // Nobody is to blame: it goes again when it may.
            }
            case DESTINATION -> hold(GateKey.breaker(destination, null), failed, probed);
            case TOPIC -> {
                state.open(GateKey.breaker(destination, null), "it answers again");
                hold(topicOrAll(destination, entry.topic()), failed, probed);
            }
        }
    }

    private GateKey topicOrAll(String destination, String topic) {
        GateKey key = GateKey.breaker(destination, topic);
        boolean many = !state.gates.isClosed(key) && state.gates.topicsHeld(destination) >= Gates.MOST_TOPICS;
        return many ? GateKey.breaker(destination, null) : key;
    }

    /** Of several failures in one attempt a permanent one decides. */
    private static void blame(Entry entry, String destination, Outcome.Failed failed) {
        Outcome.Failed before = entry.failure;
        if (before == null || (failed.reason().isPermanent() && !before.reason().isPermanent())) {
            entry.failure = failed;
            entry.failedAt = destination;
        }
    }

    private void hold(GateKey key, Outcome.Failed failed, boolean probed) {
        boolean news = !state.gates.isClosed(key);
        Gates.Gate gate = state.close(key, failed.error());
        gate.why = failed.error();
        if (probed && !news) {
            gate.failedProbes++;
        }
        if (probed || news || failed.retryAfter() != null) {
            gate.nextProbe =
                    state.nanos() + failed.atLeast(state.probePause(gate)).toNanos();
        }
    }
}
