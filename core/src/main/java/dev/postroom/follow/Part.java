package dev.postroom.follow;

/** Some of the messages of a lane that a destination has to catch up with: they have a follower of their own. */
sealed interface Part {

    /**
     * Whether its follower brings the message.
     *
     * @param ordered whether the message waits for earlier ones of its stream
     */
    boolean belongs(Message message, boolean ordered);

    /** Whether its follower may go on now, as far as the part is concerned. */
    boolean isAble();

    /** Its follower ends, because the one of everything has nothing more ahead of it. */
    void end();

    /** What a gate held back: the messages of its topic or type, and what comes after them in their streams. */
    record OfGate(Gate gate, LeftStreams streams) implements Part {
        @Override
        public boolean belongs(Message message, boolean ordered) {
            return gate.guards(message) || (ordered && streams.keeps(message.stream(), message.seq()));
        }

        @Override
        public boolean isAble() {
            return !gate.isShut(false);
        }

        @Override
        public void end() {
            streams.clear();
            gate.partEnded();
        }
    }

    /** What one tenant has beyond its share of the destination. */
    record OfTenant(String tenant, Destination destination) implements Part {
        @Override
        public boolean belongs(Message message, boolean ordered) {
            return tenant.equals(message.tenant());
        }

        @Override
        public boolean isAble() {
            return !destination.isTenantFull(tenant);
        }

        @Override
        public void end() {}
    }
}
