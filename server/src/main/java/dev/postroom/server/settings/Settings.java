package dev.postroom.server.settings;

import dev.postroom.admin.RedactionRules;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.HealthThresholds.Limit;
import dev.postroom.outbox.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All settings of an installation, checked. Immutable, thread-safe. */
public final class Settings {
    public static final String DEFAULT_URL = "jdbc:h2:file:./data/postroom;AUTO_SERVER=TRUE";

    private final Section root;
    private final Map<String, String> values;

    private Settings(Map<String, String> values) {
        this.values = values;
        this.root = new Section("postroom", values);
    }

    /**
     * Reads and checks everything.
     *
     * @throws SettingsException with all problems, one a line
     */
    public static Settings load(SettingsSources sources) {
        List<String> problems = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        sources.read(problems).forEach((key, given) -> {
            values.put(key, given.value());
            KnownSettings.find(key)
                    .map(setting -> setting.problem(key, given.value(), given.origin()))
                    .ifPresent(problems::add);
        });
        Settings settings = new Settings(values);
        if (problems.isEmpty()) {
            new SettingsCheck(settings, problems).run();
        }
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
        return settings;
    }

    public DatabaseSettings database() {
        return DatabaseSettings.from(section("database"));
    }

    public Limits limits() {
        Section limits = section("limits");
        Limits defaults = Limits.DEFAULT;
        return new Limits(
                limits.integer("payload-bytes").orElse(defaults.payloadBytes()),
                limits.integer("headers").orElse(defaults.headers()),
                limits.integer("header-bytes").orElse(defaults.headerBytes()),
                limits.integer("topic-length").orElse(defaults.topicLength()),
                limits.integer("key-length").orElse(defaults.keyLength()));
    }

    /** Health thresholds. */
    public HealthThresholds health() {
        Section health = section("health");
        Section backlog = health.section("backlog");
        Section age = health.section("oldest-age");
        Section ratio = health.section("failed-ratio");
        Section stuck = health.section("stuck-after");
        HealthThresholds usual = HealthThresholds.DEFAULT;
        return new HealthThresholds(
                new Limit<>(
                        (long) backlog.integer("degraded")
                                .orElse(usual.backlog().degraded().intValue()),
                        (long) backlog.integer("down")
                                .orElse(usual.backlog().down().intValue())),
                new Limit<>(
                        age.duration("degraded").orElse(usual.oldestAge().degraded()),
                        age.duration("down").orElse(usual.oldestAge().down())),
                new Limit<>(
                        ratio.number("degraded").orElse(usual.failedRatio().degraded()),
                        ratio.number("down").orElse(usual.failedRatio().down())),
                new Limit<>(
                        stuck.duration("degraded").orElse(usual.stuckAfter().degraded()),
                        stuck.duration("down").orElse(usual.stuckAfter().down())));
    }

    /** What is hidden from those who may not reveal it. */
    public RedactionRules redaction() {
        Section redact = section("redact");
        return RedactionRules.of(redact.words("headers"), redact.words("json-paths"));
    }

    public Optional<Integer> compressionThreshold() {
        return section("compression").integer("threshold");
    }

    public Optional<Duration> dedupWindow() {
        return root.duration("dedup-window");
    }

    /** How long it can be looked up who changed what. */
    public Optional<Duration> auditRetention() {
        return section("audit").duration("retention");
    }

    /** How long delivered messages are kept; empty for not at all. */
    public Optional<Duration> retention() {
        String text = root.text("retention").orElse("7d");
        return text.equals("none")
                ? Optional.empty()
                : root.duration("retention").or(() -> Optional.of(SEVEN_DAYS));
    }

    private static final Duration SEVEN_DAYS = Duration.ofDays(7);

    /** The settings below {@code postroom.NAME}, such as {@code relay} or {@code admin}. */
    public Section section(String name) {
        return root.section(name);
    }

    /** Destinations by name, in the order given. */
    public Map<String, Section> destinations() {
        Map<String, Section> found = new LinkedHashMap<>();
        Pattern form = Pattern.compile("postroom\\.destinations\\.([^.]+)\\..*");
        for (String key : values.keySet()) {
            Matcher matcher = form.matcher(key);
            if (matcher.matches()) {
                found.computeIfAbsent(matcher.group(1), name -> section("destinations." + name));
            }
        }
        return found;
    }

    /** Routes by their place in the list. */
    public SortedMap<Integer, Section> routes() {
        return list("routes");
    }

    /** The admin surface's users by their place in the list. */
    public SortedMap<Integer, Section> users() {
        return list("admin.users");
    }

    private SortedMap<Integer, Section> list(String name) {
        SortedMap<Integer, Section> found = new TreeMap<>();
        Pattern form = Pattern.compile(Pattern.quote("postroom." + name) + "\\[(\\d+)\\]\\..*");
        for (String key : values.keySet()) {
            Matcher matcher = form.matcher(key);
            if (matcher.matches()) {
                int place = Integer.parseInt(matcher.group(1));
                found.computeIfAbsent(place, n -> section(name + "[" + n + "]"));
            }
        }
        return found;
    }

    /** Names the keys that are set, never a value: some are passwords. */
    @Override
    public String toString() {
        return "Settings" + values.keySet();
    }
}
