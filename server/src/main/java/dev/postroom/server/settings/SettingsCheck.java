package dev.postroom.server.settings;

import dev.postroom.PostroomException;
import dev.postroom.server.text.Nearest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** What single values cannot tell: what is missing, and what does not belong together. */
final class SettingsCheck {
    private static final Map<String, String> NEEDED =
            Map.of("rabbitmq", "uri", "kafka", "bootstrap-servers", "http", "url");
    private static final Map<String, Set<String>> ONLY_FOR = Map.of(
            "uri", Set.of("rabbitmq"),
            "exchange", Set.of("rabbitmq"),
            "routing-key", Set.of("rabbitmq"),
            "content-mode", Set.of("rabbitmq", "kafka", "http"),
            "bootstrap-servers", Set.of("kafka"),
            "topic", Set.of("kafka"),
            "url", Set.of("http"),
            "secret", Set.of("http"),
            "allow-private-addresses", Set.of("http"));

    private final Settings settings;
    private final List<String> problems;

    SettingsCheck(Settings settings, List<String> problems) {
        this.settings = settings;
        this.problems = problems;
    }

    void run() {
        collect(() -> settings.database());
        collect(() -> settings.limits());
        collect(() -> settings.health());
        settings.destinations().forEach(this::destination);
        numbered("postroom.routes", settings.routes());
        settings.routes().values().forEach(this::route);
        numbered("postroom.admin.users", settings.users());
        settings.users().values().forEach(user -> {
            require(user, "name", "say who it is");
            require(user, "password", "nobody signs in without one");
            require(user, "role", "use viewer or operator");
        });
    }

    private void collect(Runnable checked) {
        try {
            checked.run();
        } catch (PostroomException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private void destination(String name, Section destination) {
        require(destination, "type", "use rabbitmq, kafka, http or log");
        destination.text("type").ifPresent(type -> {
            String needed = NEEDED.get(type);
            if (needed != null) {
                require(destination, needed, "a destination of type " + type + " needs it");
            }
            ONLY_FOR.forEach((setting, types) -> {
                if (destination.text(setting).isPresent() && !types.contains(type)) {
                    problems.add(destination.key(setting) + " is for " + String.join(", ", types)
                            + ", but the destination's type is " + type + ": remove it, or change the type");
                }
            });
            secrets(destination, type);
            if (type.equals("log") && !destination.everythingBelow("tls").isEmpty()) {
                problems.add(
                        destination.key("tls") + " is for http, kafka, rabbitmq, but the destination's type is log:"
                                + " remove it, or change the type");
            }
            if (!type.equals("kafka")
                    && !destination.everythingBelow("properties").isEmpty()) {
                problems.add(destination.key("properties") + " is for kafka, but the destination's type is " + type
                        + ": remove it, or change the type");
            }
        });
    }

    private void secrets(Section destination, String type) {
        int places = destination.places("secrets");
        if (places == 0) {
            return;
        }
        String key = destination.key("secrets");
        if (!type.equals("http")) {
            problems.add(
                    key + " is for http, but the destination's type is " + type + ": remove it, or change the type");
        } else if (destination.text("secret").isPresent()) {
            problems.add(key + " and " + destination.key("secret") + " are both given: keep the list");
        } else if (destination.texts("secrets").size() < places) {
            problems.add(key + " has " + places + " entries with a gap between them: number them from 0");
        }
    }

    private void route(Section route) {
        require(route, "topic", "say which topics it is for, ** for all");
        require(route, "destinations", "say where its messages go");
        Set<String> known = settings.destinations().keySet();
        for (String destination : route.words("destinations")) {
            if (!known.contains(destination)) {
                String hint = Nearest.hint(destination, known);
                problems.add(route.key("destinations") + " names '" + destination + "', which is no destination"
                        + (hint.isEmpty() ? ": configure postroom.destinations." + destination + ".type" : hint));
            }
        }
    }

    private void require(Section section, String setting, String what) {
        if (section.text(setting).filter(text -> !text.isEmpty()).isEmpty()) {
            problems.add(section.key(setting) + " is missing: " + what);
        }
    }

    private void numbered(String list, SortedMap<Integer, Section> entries) {
        if (!entries.isEmpty() && entries.lastKey() != entries.size() - 1) {
            problems.add(list + "[" + entries.lastKey() + "] is given, but there are only " + entries.size()
                    + " entries: number them from 0 without a gap");
        }
    }
}
