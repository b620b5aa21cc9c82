package dev.postroom.relay;

import java.util.List;

/** What a relay that runs can be asked at any time, from any thread, without disturbing it. */
public interface RelayView {

    /** What it was called by its builder. */
    String name();

    /** The names of its destinations. */
    List<String> destinations();

    /** How many messages this destination's transport was given and has not answered for yet. */
    int underWay(String destination);
}
