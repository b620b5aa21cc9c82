package dev.postroom.spring.boot;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an object keeps to itself: a builder or a transport does not tell what it was given. */
final class Inside {
    private Inside() {}

    /** The fields of the settings that the object has. */
    static Map<String, @Nullable Object> settingsOf(Object object) {
        return fields(Objects.requireNonNull(fields(object).get("settings")));
    }

    static Map<String, @Nullable Object> fields(Object object) {
        Map<String, @Nullable Object> values = new HashMap<>();
        try {
            for (Field field : object.getClass().getDeclaredFields()) {
                field.setAccessible(true);
                values.put(field.getName(), field.get(object));
            }
            return values;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
