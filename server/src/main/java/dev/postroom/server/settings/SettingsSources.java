package dev.postroom.server.settings;

import dev.postroom.secrets.Secrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where settings come from; the later wins.
 *
 * @param file the YAML file, or null for none
 * @param environment variables; {@code POSTROOM_DATABASE_URL} is {@code postroom.database.url}
 * @param properties system properties
 */
public record SettingsSources(@Nullable Path file, Map<String, String> environment, Map<String, String> properties) {

    /**
     * Variables with our prefix that are no settings: those of the tests, and those that Kubernetes and Docker set for a
     * service that happens to be named postroom.
     */
    private static final Pattern NOT_OURS =
            Pattern.compile("POSTROOM_(TEST_.*|PORT(_.*)?|(.*_)?SERVICE_(HOST|PORT)(_.*)?|.*_PORT_\\d+_TCP.*)");

    /** A value and, for errors, where it was found. */
    record Given(String value, String origin) {}

    /** All values by key; problems are added for what is no setting. */
    Map<String, Given> read(List<String> problems) {
        Map<String, Given> found = new LinkedHashMap<>();
        if (file != null) {
            String origin = "in " + file;
            SettingsFile.read(file).forEach((key, value) -> put(found, key, new Given(value, origin), problems));
        }
        Map<String, Given> given = new LinkedHashMap<>();
        properties.forEach((key, value) -> {
            if (key.startsWith(KnownSettings.PREFIX)) {
                put(given, key, new Given(value, "system property"), problems);
            }
        });
        List<String> names = new ArrayList<>(found.keySet());
        names.addAll(given.keySet());
        environment.forEach((variable, value) -> {
            if (variable.startsWith("POSTROOM_") && !NOT_OURS.matcher(variable).matches()) {
                put(found, keyOf(variable, names), new Given(value, "environment variable " + variable), problems);
            }
        });
        found.putAll(given);
        return found;
    }

    /** What must not be told, whether the rest is right or wrong. */
    public Secrets secrets() {
        return SettingsSecrets.in(read(new ArrayList<>()));
    }

    private static void put(Map<String, Given> found, String key, Given given, List<String> problems) {
        if (KnownSettings.find(key).isEmpty()) {
            problems.add(KnownSettings.unknown(key, given.origin()));
        } else {
            found.put(key, given);
        }
    }

    /** Underscores stand for dots and dashes alike, so known keys and names that are in use already decide. */
    private static String keyOf(String variable, List<String> inUse) {
        for (Setting setting : KnownSettings.all()) {
            Matcher parts = setting.environment(variable);
            if (parts != null) {
                return key(setting.pattern(), parts, inUse);
            }
        }
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private static String key(String pattern, Matcher parts, List<String> inUse) {
        String key = pattern;
        int group = 1;
        if (key.contains("NAME")) {
            key = key.replace("NAME", destinationName(parts.group(group++), inUse));
        }
        if (key.contains("[n]")) {
            key = key.replace("[n]", "[" + parts.group(group++) + "]");
        }
        if (key.endsWith("*")) {
            String rest = parts.group(group).toLowerCase(Locale.ROOT).replace('_', '.');
            key = key.replace("*", rest);
        }
        return key;
    }

    private static String destinationName(String part, List<String> inUse) {
        Pattern used = Pattern.compile("postroom\\.destinations\\.([^.]+)\\..*");
        for (String key : inUse) {
            Matcher matcher = used.matcher(key);
            if (matcher.matches() && Setting.environmentName(matcher.group(1)).equals(part)) {
                return matcher.group(1);
            }
        }
        return part.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
