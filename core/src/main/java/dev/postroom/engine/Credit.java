package dev.postroom.engine;

/**
 * How much a destination's transport takes now: messages beyond that stay with the engine, which knows whose turn it is, instead of
 * waiting in line before the transport. For the engine's thread.
 */
public interface Credit {
    /** Takes everything. */
    Credit UNLIMITED = new Credit() {
        @Override
        public boolean isLeft(long now) {
            return true;
        }

        @Override
        public void take(long now) {}

        @Override
        public long next() {
            return Long.MAX_VALUE;
        }
    };

    /** Whether it takes one more at this time of the engine's clock. */
    boolean isLeft(long now);

    /** One more is sent. */
    void take(long now);

    /** When there is credit again that only time brings, by the engine's clock; never if it is an answer that brings it. */
    long next();
}
