package dev.postroom.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.fuzz.fixture.FaultyFuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A few inputs of Jazzer's for each target, the same each time; {@code ./postroom fuzz} tries more, and others. */
@Tag("R72")
class ShortFuzzTest {
    /** What is found by chance belongs to the search for it, not to a run that may then pass the next time. */
    private static final String ALWAYS_THE_SAME = "-seed=1";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"REST", "WIRE"})
    void nothing_is_found_in_a_short_run_of_what_comes_from_outside(Target target) throws Exception {
        findsNothing(target);
    }

    /** Half a minute of CPU more; their seeds are tried by {@link SeedsTest}. */
    @ParameterizedTest
    @EnumSource(names = {"SETTINGS", "HEADERS", "CLI"})
    @Tag("long")
    void nothing_is_found_in_a_short_run_of_what_comes_from_inside(Target target) throws Exception {
        findsNothing(target);
    }

    private void findsNothing(Target target) throws Exception {
        int runs = target.seeds().size() + target.shortRuns();
        Campaign.Outcome outcome =
                new Campaign(folder).run(target, List.of("-runs=" + runs, ALWAYS_THE_SAME), line -> {});
        assertThat(outcome.findings()).as(() -> read(outcome.log())).isEmpty();
        assertThat(outcome.exit()).as(() -> read(outcome.log())).isZero();
        assertThat(read(outcome.log())).contains("Done " + runs + " runs");
    }

    @Test
    void input_that_fails_is_kept_and_fails_the_run() throws Exception {
        Campaign.Outcome outcome = new Campaign(folder)
                .run(
                        FaultyFuzz.class,
                        "",
                        Map.of("seed", "abc".getBytes(StandardCharsets.UTF_8)),
                        List.of("-runs=100000", ALWAYS_THE_SAME),
                        line -> {});
        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.findings()).hasSize(1);
        assertThat(read(outcome.findings().get(0))).startsWith("b");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
