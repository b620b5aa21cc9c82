package dev.postroom.engine;

/**
 * Since when outcomes cannot be recorded because of the database itself (grants, a missing table, a full disk, no connection).
 * Nothing is sent meanwhile: each message sent would be sent again if this process died before the trouble ends.
 */
public final class SettleTrouble {
    private boolean on;
    private long since;
    private String why = "";

    public boolean isOn() {
        return on;
    }

    String why() {
        return why;
    }

    public void began(String error, long now) {
        if (!on) {
            on = true;
            since = now;
        }
        why = error;
    }

    /** Whether there was any. */
    public boolean ended() {
        boolean was = on;
        on = false;
        why = "";
        return was;
    }

    /** 0 when there is none. */
    long nanos(long now) {
        return on ? now - since : 0;
    }
}
