package dev.postroom.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Every input that is kept, without Jazzer: what was found once is found the next time, wherever tests run. */
@Tag("R72")
class SeedsTest {

    @TestFactory
    Stream<DynamicTest> every_seed_is_answered_as_it_should_be() {
        return Arrays.stream(Target.values())
                .map(target -> DynamicTest.dynamicTest(target.label(), () -> replay(target)));
    }

    private static void replay(Target target) {
        assertThat(target.seeds()).as("seeds of " + target.label()).hasSizeGreaterThan(5);
        target.seeds().forEach((name, input) -> {
            try {
                target.replay(input);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + target.label() + "/" + name, e);
            }
        });
    }
}
