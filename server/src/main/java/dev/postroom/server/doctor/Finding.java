package dev.postroom.server.doctor;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one check found.
 *
 * @param level {@code ok}, {@code warning} or {@code wrong}
 * @param check what was looked at, in a word or two
 * @param says what was found
 * @param advice what to do, or null when there is nothing to do
 * @param command a command line that does it, to be copied as it is
 */
public record Finding(
        Level level,
        String check,
        String says,
        @Nullable String advice,
        @Nullable String command) {

    /** How bad it is; only WRONG makes the doctor fail. */
    public enum Level {
        OK,
        WARNING,
        WRONG
    }

    /** The same, as it may be told. */
    public Finding shown(UnaryOperator<String> hidden) {
        return new Finding(
                level,
                check,
                hidden.apply(says),
                advice == null ? null : hidden.apply(advice),
                command == null ? null : hidden.apply(command));
    }

    /** The same, with this at the end of its command. */
    public Finding with(String options) {
        return command == null ? this : new Finding(level, check, says, advice, command + options);
    }

    static Finding ok(String check, String says) {
        return new Finding(Level.OK, check, says, null, null);
    }

    static Finding ok(String check, String says, String command) {
        return new Finding(Level.OK, check, says, null, command);
    }

    static Finding warning(String check, String says, String advice) {
        return new Finding(Level.WARNING, check, says, advice, null);
    }

    /** Advice is null when what it says includes what to do. */
    static Finding wrong(String check, String says, @Nullable String advice) {
        return new Finding(Level.WRONG, check, says, advice, null);
    }
}
