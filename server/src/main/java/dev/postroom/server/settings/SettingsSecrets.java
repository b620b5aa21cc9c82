package dev.postroom.server.settings;

import dev.postroom.secrets.GuardedUrl;
import dev.postroom.secrets.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Finds the secrets among settings: whole values, and the parts of URLs that are none of anybody's business. */
final class SettingsSecrets {
    private static final String PROPERTIES = ".properties.";
    private static final String WEBHOOK_SECRET = "whsec_";

    private final List<String> values = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private Secrets inUrls = Secrets.NONE;

    private SettingsSecrets() {}

    /** Without those that are words of other settings, such as a password that is the user's name. */
    static Secrets in(Map<String, SettingsSources.Given> settings) {
        SettingsSecrets found = new SettingsSecrets();
        KnownSettings.all().forEach(setting -> found.shown.add(setting.pattern()));
        settings.forEach((key, given) -> found.add(key, given.value()));
        return Secrets.of(found.values).and(found.inUrls).exceptWordsOf(String.join("\n", found.shown));
    }

    private void add(String key, String value) {
        shown.add(key);
        if (key.endsWith(".url") || key.endsWith(".uri")) {
            GuardedUrl url = GuardedUrl.of(value);
            inUrls = inUrls.and(url.secrets());
            shown.add(url.shown());
        } else if (key.contains(PROPERTIES)) {
            String name = key.substring(key.indexOf(PROPERTIES) + PROPERTIES.length());
            (Secrets.areIn(name) ? values : shown).add(value);
        } else if (KnownSettings.find(key).filter(Setting::secret).isPresent()) {
            values.add(value);
            // What signs is what follows the prefix; and a text with several in it is wrong, but as secret.
            Arrays.stream(value.strip().split("\\s+", -1))
                    .filter(word -> word.startsWith(WEBHOOK_SECRET))
                    .forEach(word -> values.addAll(List.of(word, word.substring(WEBHOOK_SECRET.length()))));
        } else {
            shown.add(value);
        }
    }
}
