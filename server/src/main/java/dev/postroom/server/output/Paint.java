package dev.postroom.server.output;

import java.util.Map;

/** Colours for people at a terminal; elsewhere, and for those who said NO_COLOR, text stays as it is. */
public final class Paint {
    private static final String END = "\u001b[0m";

    private final boolean wanted;

    private Paint(boolean wanted) {
        this.wanted = wanted;
    }

    public static Paint on(Terminal terminal, Map<String, String> environment) {
        boolean refused = !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "").equals("dumb");
        return new Paint(terminal.isWatched() && !refused);
    }

    public String bad(String text) {
        return painted("\u001b[31m", text);
    }

    public String doubtful(String text) {
        return painted("\u001b[33m", text);
    }

    public String good(String text) {
        return painted("\u001b[32m", text);
    }

    private String painted(String colour, String text) {
        return wanted ? colour + text + END : text;
    }
}
