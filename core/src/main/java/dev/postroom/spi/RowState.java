package dev.postroom.spi;

/** Where a live row stands. The database derives it and stores the {@link #code()}. */
public enum RowState {
    /** To be sent; read forward by sequence number. */
    READY(0),
    /** Its writer gave a delivery time; read by due time, and holds nobody until then. */
    DELAYED(1),
    /** Failed, or brought back by an operator; read by due time, and holds its stream. */
    WAITING(2),
    /** A dead letter: never read again until an operator brings it back; holds its stream where the policy is BLOCK. */
    DEAD(3);

    private final int code;

    RowState(int code) {
        this.code = code;
    }

    /** The value of the column {@code state}. */
    public int code() {
        return code;
    }

    /** The state with this code. */
    public static RowState of(int code) {
        for (RowState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("no row state has the code " + code);
    }
}
