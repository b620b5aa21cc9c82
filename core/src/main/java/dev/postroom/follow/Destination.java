package dev.postroom.follow;

import dev.postroom.engine.Credit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A destination as this relay sees it: whether it takes anything, what it has in memory, and whose turn it is to go there. */
final class Destination {
    private final String name;
    private final long mask;
    private final Share share;
    private final Breaker breaker;
    private final FailureRuns runs;
    private final Credit credit;
    private final Pipeline pipeline;
    private final StreamBudget budget;
    private final Unanswered unanswered = new Unanswered();
    private final Line line = new Line();
    private final Map<String, Gate> topicGates = new HashMap<>();
    private final Map<String, Gate> typeGates = new HashMap<>();
    private final Map<String, Integer> byTenant = new HashMap<>();
    private final Crowd crowd;
    private @Nullable String pausedBy;
    private int count;
    private long bytes;
    private int onTheWire;

    /** Whether a transport keeps the order of two messages of one stream with these topics, also while the first is not confirmed. */
    @FunctionalInterface
    interface Pipeline {
        Pipeline NONE = (ahead, topic) -> false;

        boolean keepsOrder(Topic ahead, Topic topic);
    }

    /**
     * How much of the memory is a destination's.
     *
     * @param streamMessages of one stream at most; more are read when a quarter is left
     * @param tenantMessages of one tenant at most, while others may be waiting; fewer where several have theirs
     * @param probes streams of which a held destination keeps one message each, to be tried
     * @param parts followers in each lane, beside the one of everything
     */
    record Share(int messages, long bytes, int streamMessages, int tenantMessages, int probes, int parts) {}

    Destination(
            String name,
            long mask,
            Share share,
            Breaker breaker,
            FailureRuns runs,
            Credit credit,
            Pipeline pipeline,
            Crowd crowd,
            StreamBudget budget) {
        this.name = name;
        this.mask = mask;
        this.share = share;
        this.breaker = breaker;
        this.runs = runs;
        this.credit = credit;
        this.pipeline = pipeline;
        this.crowd = crowd;
        this.budget = budget;
    }

    String name() {
        return name;
    }

    long mask() {
        return mask;
    }

    Share share() {
        return share;
    }

    Breaker breaker() {
        return breaker;
    }

    FailureRuns runs() {
        return runs;
    }

    Unanswered unanswered() {
        return unanswered;
    }

    /** How much its transport takes. */
    Credit credit() {
        return credit;
    }

    StreamBudget budget() {
        return budget;
    }

    // --- what it takes ---

    boolean isPaused() {
        return pausedBy != null;
    }

    @Nullable
    String pausedBy() {
        return pausedBy;
    }

    void pause(String by) {
        pausedBy = by;
    }

    void resume() {
        pausedBy = null;
    }

    boolean isHeld() {
        return breaker.isOpen();
    }

    boolean isFlowing() {
        return !isPaused() && !isHeld();
    }

    /** Whether it takes anything at all: everything when it flows, and while it is held, messages to be tried. */
    boolean isAble() {
        return !isPaused() && (isHeld() ? wantsProbes(false) : !isNearlyFull()) && !isFull(false);
    }

    /** An eighth has to be free, or pages would become tiny. */
    private boolean isNearlyFull() {
        int counted = count - kept();
        return counted > most() - share.messages() / 8 || (bytes > mostBytes() - share.bytes() / 8 && counted > 0);
    }

    /** While a tenant is put off, others have a quarter more to come in. */
    private int most() {
        return share.messages() + (crowd.putsOff() ? Math.max(1, share.messages() / 4) : 0);
    }

    private long mostBytes() {
        return share.bytes() + (crowd.putsOff() ? share.bytes() / 4 : 0);
    }

    /** Notes how it gets on, before anything else happens in a turn. */
    void observe(long now) {
        // A tenant that is put off has half of it.
        int eighths = crowd.putsOff() ? 3 : 6;
        int counted = count - kept();
        boolean full = isFlowing()
                && counted > 0
                && (counted > share.messages() / 8.0 * eighths || bytes > share.bytes() / 8.0 * eighths);
        crowd.observe(full, now);
    }

    /** How many more messages it takes. */
    int room() {
        return Math.max(0, most() - count);
    }

    long roomForBytes() {
        return Math.max(0, mostBytes() - bytes);
    }

    /** @param again also messages that have been tried before, for whom half a round is kept where everything fails */
    boolean wantsProbes(boolean again) {
        int most = breaker.isFailing() && !again ? Math.max(1, share.probes() / 2) : share.probes();
        return !isPaused() && isHeld() && line.size() + onTheWire < most;
    }

    /**
     * Held, it takes one more if it has nothing to try, or nothing would ever open it.
     *
     * @param retry what waits for another try may exceed the share by a quarter, or new messages might keep it out for ever
     */
    boolean isFull(boolean retry) {
        if (isHeld() && hasNothingToTry()) {
            return false;
        }
        int counted = count - kept();
        int most = retry ? share.messages() + Math.max(1, share.messages() / 4) : most();
        long mostBytes = retry ? share.bytes() + share.bytes() / 4 : mostBytes();
        return counted >= most || (bytes >= mostBytes && counted > 0);
    }

    private boolean hasNothingToTry() {
        return line.size() + onTheWire == 0;
    }

    /** Messages that closed gates keep to be tried count outside the share. */
    private int kept() {
        int kept = 0;
        if (!topicGates.isEmpty() || !typeGates.isEmpty()) {
            for (Gate gate : topicGates.values()) {
                kept += gate.kept();
            }
            for (Gate gate : typeGates.values()) {
                kept += gate.kept();
            }
        }
        return kept;
    }

    /** While it is held, one message of a stream is enough to try with. */
    int streamShare() {
        return isHeld() ? 1 : share.streamMessages();
    }

    /** Whether a tenant has its share of it, and others may be waiting behind. */
    boolean isTenantFull(String tenant) {
        int fair = Math.max(1, share.messages() / (byTenant.size() + 1));
        return crowd.putsOff() && byTenant.getOrDefault(tenant, 0) >= Math.min(share.tenantMessages(), fair);
    }

    /** Whether a delivery whose turn it is may be put on the wire: everything flows, or it is the one to be tried. */
    boolean lets(Delivery delivery, long now) {
        if (isPaused() || (isHeld() && !mayTry(now))) {
            return false;
        }
        Gate gate = closedGate(delivery.message());
        return gate == null || (gate.isProbed() && gate.breaker().mayProbe(now) && gate.toTry() == delivery);
    }

    /** Whether one of those in line may be tried while it is held. */
    boolean mayTry(long now) {
        return (onTheWire == 0 || breaker.isInRound()) && breaker.mayProbe(now);
    }

    // --- gates ---

    /** The gates that are closed, or that something still has to catch up behind. */
    List<Gate> gates() {
        return hasGates()
                ? Stream.concat(topicGates.values().stream(), typeGates.values().stream())
                        .toList()
                : List.of();
    }

    boolean hasGates() {
        return !topicGates.isEmpty() || !typeGates.isEmpty();
    }

    Gate gate(Gate.Kind kind, String gateName, Breaker newBreaker) {
        return gates(kind).computeIfAbsent(gateName, key -> new Gate(kind, key, newBreaker));
    }

    @Nullable
    Gate gate(Gate.Kind kind, String gateName) {
        return gates(kind).get(gateName);
    }

    private Map<String, Gate> gates(Gate.Kind kind) {
        return kind == Gate.Kind.TOPIC ? topicGates : typeGates;
    }

    /** The closed gate that a message stands before, or null. */
    @Nullable
    Gate closedGate(Message message) {
        if (!hasGates()) {
            return null;
        }
        Gate gate = topicGates.get(message.topic().name());
        if (gate == null || !gate.isClosed()) {
            gate = typeGates.isEmpty() ? null : typeGates.get(message.type());
        }
        return gate == null || !gate.isClosed() ? null : gate;
    }

    List<Gate> closedGates() {
        return hasGates() ? gates().stream().filter(Gate::isClosed).toList() : List.of();
    }

    void forgetOpenGates() {
        topicGates.values().removeIf(Gate::isForgotten);
        typeGates.values().removeIf(Gate::isForgotten);
    }

    // --- what it has ---

    int count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    int onTheWire() {
        return onTheWire;
    }

    Line line() {
        return line;
    }

    boolean pipelines(Topic ahead, Topic topic) {
        return pipeline.keepsOrder(ahead, topic);
    }

    void took(Delivery delivery) {
        count++;
        bytes += delivery.message().weight();
        byTenant.merge(delivery.message().tenant(), 1, Integer::sum);
        Gate gate = closedGate(delivery.message());
        if (gate != null) {
            gate.keep(delivery);
        }
    }

    void letGo(Delivery delivery) {
        stepBack(delivery);
        count--;
        bytes -= delivery.message().weight();
        byTenant.computeIfPresent(delivery.message().tenant(), (tenant, n) -> n == 1 ? null : n - 1);
        forgetAtGates(delivery);
    }

    /** Neither queued nor on the wire any more. */
    void forgetAtGates(Delivery delivery) {
        if (hasGates()) {
            topicGates.values().forEach(gate -> gate.forget(delivery));
            typeGates.values().forEach(gate -> gate.forget(delivery));
        }
    }

    /** Order lets it go; behind a closed gate it waits to be tried. */
    void lineUp(Delivery delivery) {
        if (closedGate(delivery.message()) == null) {
            line.add(delivery);
        }
    }

    void stepBack(Delivery delivery) {
        line.remove(delivery);
    }

    void putOnTheWire(Delivery delivery) {
        stepBack(delivery);
        onTheWire++;
    }

    /** It was sent to find out whether what stops the others still does. */
    void probeSent(Delivery delivery) {
        if (isHeld()) {
            breaker.probeSent();
        }
        Gate gate = closedGate(delivery.message());
        if (gate != null && gate.isProbed()) {
            gate.breaker().probeSent();
        }
    }

    void cameBack() {
        onTheWire--;
    }

    void noteConfirmed(Message message) {
        unanswered.confirmed();
        runs.confirmed(message);
        crowd.confirmed();
    }
}
