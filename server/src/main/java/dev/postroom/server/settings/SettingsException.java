package dev.postroom.server.settings;

import dev.postroom.PostroomException;
import java.util.List;

/** Settings that cannot be used; one line per problem, each with its key, its value and what to do. */
public final class SettingsException extends PostroomException {
    private static final long serialVersionUID = 1L;

    SettingsException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
