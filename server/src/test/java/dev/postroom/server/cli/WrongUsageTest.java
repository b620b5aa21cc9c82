package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R54")
class WrongUsageTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '"',
            value = {
                "lst => there is no command 'lst': did you mean list?",
                "zebra => there is no command 'zebra'",
                "list --topc x => list has no option --topc: did you mean --topic?",
                "list --topc=x => list has no option --topc: did you mean --topic?",
                "list extra => list does not understand 'extra'",
                "list --limit many => 'many' is not an int",
                "list --limit 501 => --limit must be 1 to 500",
                "list --page -1 => --page",
                "list --status lost => there is no status 'lost': use one of processed",
                "list --stale-for soon => 'soon' is not a duration such as 500ms",
                "list --created-after yesterday => 'yesterday' is not a time such as",
                "list --failure BROKEN => BROKEN",
                "publish --data x => --topic",
                "publish --topic t => --data=TEXT | --data-file=FILE",
                "publish --topic t --data x --data-file y => mutually exclusive",
                "publish --topic t --data x --header novalue => NAME=VALUE",
                "show => ID",
                "show 42 => '42' is not a message id such as 0",
                "retry --reason x => say which messages",
                "retry --status dead => --reason",
                "retry --status dead --reason= => --reason",
                "retry 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11 --status dead --reason x => not both",
                "delete --all --limit 0 --reason x => --limit must be 1 to 100000",
                "release --topic t --reason x => --key",
                "release --topic t --key k => --reason",
                "pause --destination d --topic t => mutually exclusive",
                "replay --topic t --reason x => --destination",
                "replay --topic t --destination d => --reason",
                "purge => --older-than",
                "migrate --grants relay => --grantee",
                "migrate --print --grants relay --grantee r => give one of them"
            })
    void is_told_in_the_first_line_with_usage_and_exit_code_2(String typed, String told) {
        Cli.Result result = Cli.in(folder).run(typed.split(" "));
        assertThat(result.exit()).as(result.err()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.firstErrorLine()).startsWith("postroom: ").contains(told);
        assertThat(result.err()).contains("\nUsage: postroom").contains("--help'");
    }

    @Test
    void an_argument_that_the_locale_garbled_is_refused_before_it_is_written() {
        Cli.Result result = Cli.in(folder)
                .property("sun.jnu.encoding", "ANSI_X3.4-1968")
                .run("publish", "--topic", "t", "--data", "Zo\uFFFD\uFFFD");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.firstErrorLine()).contains("LC_ALL=C.UTF-8", "--data-file");
    }

    @Test
    void control_characters_typed_are_not_echoed_raw() {
        assertThat(Cli.in(folder).run("\u001b[31mlist").err()).doesNotContain("\u001b");
    }
}
