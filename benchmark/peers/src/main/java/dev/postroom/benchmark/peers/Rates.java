package dev.postroom.benchmark.peers;

/**
 * What a round gave, in messages per second.
 *
 * @param drained from the start of delivering until all were handled
 * @param writtenOne written with one message per transaction
 * @param writtenMany written with {@value #MANY} messages per transaction
 */
public record Rates(double drained, double writtenOne, double writtenMany) {
    public static final int MANY = 100;

    String line() {
        return drained + " " + writtenOne + " " + writtenMany;
    }

    /** What {@link PeerProgram} answered. */
    public static Rates parse(String line) {
        String[] parts = line.split(" ", -1);
        return new Rates(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), Double.parseDouble(parts[2]));
    }
}
