package dev.postroom.server.demo;

/** How it went; {@code proved} is false if anything was lost, reordered or made up. */
public record DemoResult(
        boolean proved,
        long orders,
        long rolledBack,
        long delivered,
        long retried,
        long dead,
        long blocked,
        long discarded,
        long lost,
        long phantoms,
        long duplicated,
        long reordered,
        double seconds) {

    static DemoResult of(Proof proof, long rolledBack, long retried, double seconds) {
        return new DemoResult(
                proof.holds(),
                proof.orders(),
                rolledBack,
                proof.delivered(),
                retried,
                proof.dead(),
                proof.blocked(),
                proof.discarded(),
                proof.lost(),
                proof.phantoms(),
                proof.duplicated(),
                proof.reordered(),
                Math.round(seconds * 10) / 10.0);
    }
}
