package dev.postroom.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules of followers, in every order of events that a few rows allow: what is owed is somewhere in every state, nothing is
 * sent out of order or twice, sets and memory keep within their bounds, and whatever has happened, everything arrives once faults end,
 * also while a destination or a topic stays closed.
 */
@Tag("R22")
@Tag("R33")
class SmallScopeTest {
    private static final int SEEDS = 10;

    @ParameterizedTest
    @MethodSource("dev.postroom.follow.Scopes#small")
    void keeps_its_promises_in_every_order_of_events(Scope scope) {
        assertThat(new Explorer(scope, 25).exhaustively(300).violation()).isNull();
    }

    @ParameterizedTest
    @MethodSource("dev.postroom.follow.Scopes#big")
    void keeps_its_promises_when_everything_goes_wrong_at_once(Scope scope) {
        assertThat(new Explorer(scope, 100).walking(15, 7).violation()).isNull();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("dev.postroom.follow.Scopes#small")
    void keeps_its_promises_in_every_order_of_very_many_events(Scope scope) {
        assertThat(new Explorer(scope, 10).exhaustively(100_000).violation()).isNull();
    }

    static Stream<Arguments> long_walks() {
        return Scopes.big().stream()
                .flatMap(scope -> IntStream.range(0, SEEDS).mapToObj(seed -> Arguments.of(scope, seed)));
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("long_walks")
    void keeps_its_promises_for_long_when_everything_goes_wrong_at_once(Scope scope, int seed) {
        assertThat(new Explorer(scope, 60).walking(1_000, seed).violation()).isNull();
    }

    @ParameterizedTest
    @MethodSource("dev.postroom.follow.Mutants#quick")
    void finds_what_is_broken_on_purpose(Mutant mutant) throws ReflectiveOperationException {
        assertThat(mutant.run()).as("what was found with " + mutant).isNotEmpty();
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("dev.postroom.follow.Mutants#all")
    void finds_everything_that_is_broken_on_purpose(Mutant mutant) throws ReflectiveOperationException {
        assertThat(mutant.run()).as("what was found with " + mutant).isNotEmpty();
    }
}
