package dev.postroom.fuzz;

import dev.postroom.fuzz.cli.CliFuzz;
import dev.postroom.fuzz.headers.HeadersFuzz;
import dev.postroom.fuzz.rest.RestFuzz;
import dev.postroom.fuzz.settings.SettingsFuzz;
import dev.postroom.fuzz.wire.WireFuzz;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What is fuzzed. */
@SuppressWarnings("ImmutableEnumChecker") // method references have no state
public enum Target {
    REST(
            RestFuzz::tryInput,
            RestFuzz::moreSeeds,
            30,
            "requests as nobody, viewer, a tenant's operator, operator: no 5xx, bypass, leak, or answer over 2 s"),
    SETTINGS(
            SettingsFuzz::tryInput,
            Map::of,
            100,
            "settings from file, environment and properties: usable, or an error that names the setting"),
    HEADERS(
            HeadersFuzz::tryInput,
            Map::of,
            200,
            "stored headers of another writer: read, shown and sent, or refused with a reason"),
    CLI(
            CliFuzz::tryInput,
            Map::of,
            30,
            "arguments of the command line: exit code 0, 1 or 2, and no error that nobody expected"),
    WIRE(
            WireFuzz::tryInput,
            Map::of,
            200,
            "messages from and to RabbitMQ, Kafka and webhooks: handled, or refused with a reason for good");

    private final Consumer<byte[]> oneInput;
    private final Supplier<Map<String, byte[]>> moreSeeds;
    private final int shortRuns;
    private final String about;

    Target(Consumer<byte[]> oneInput, Supplier<Map<String, byte[]>> moreSeeds, int shortRuns, String about) {
        this.oneInput = oneInput;
        this.moreSeeds = moreSeeds;
        this.shortRuns = shortRuns;
        this.about = about;
    }

    /** As it is called on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String about() {
        return about;
    }

    /** How many inputs beyond its seeds the suite tries. */
    int shortRuns() {
        return shortRuns;
    }

    /** Tries one input without Jazzer; throws what Jazzer would report. */
    void replay(byte[] input) {
        oneInput.accept(input);
    }

    /** Those that are kept as files, and those that the target makes of what the product says about itself. */
    Map<String, byte[]> seeds() {
        Map<String, byte[]> seeds = new TreeMap<>(SeedFiles.of(label()));
        seeds.putAll(moreSeeds.get());
        return seeds;
    }

    static Target of(String label) {
        return Arrays.stream(values())
                .filter(target -> target.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no target '" + label + "': "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Target::label).toList())));
    }
}
