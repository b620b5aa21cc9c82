package dev.postroom.fuzz.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings as text: lines {@code key=value}, of which those that begin with {@code POSTROOM_} are variables and the others properties;
 * then, after a line {@code ---}, the file.
 */
record SettingsText(Map<String, String> environment, Map<String, String> properties, String file) {

    static SettingsText of(String text) {
        String[] parts = text.split("(^|\n)---\n", 2);
        Map<String, String> environment = new LinkedHashMap<>();
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : parts[0].split("\n", -1)) {
            int equals = line.indexOf('=');
            if (equals >= 0) {
                Map<String, String> kind = line.startsWith("POSTROOM_") ? environment : properties;
                kind.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return new SettingsText(environment, properties, parts.length < 2 ? "" : parts[1]);
    }

    /** What is certainly secret: values of such keys that are nowhere else, and long enough to be told from chance. */
    List<String> secrets() {
        List<String> secrets = new ArrayList<>();
        properties.forEach((key, value) -> {
            boolean secret = key.endsWith(".password") || key.endsWith(".secret");
            boolean alone = !(environment + file).contains(value)
                    && properties.entrySet().stream()
                            .noneMatch(other ->
                                    !other.getKey().equals(key) && (other.getKey() + other.getValue()).contains(value));
            if (secret && value.length() >= 12 && alone && !key.contains(value)) {
                secrets.add(value);
            }
        });
        return secrets;
    }
}
