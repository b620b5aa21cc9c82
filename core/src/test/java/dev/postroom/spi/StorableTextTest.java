package dev.postroom.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class StorableTextTest {
    private static final String SMILE = "\uD83D\uDE00";

    @Test
    void what_every_database_takes_stays_the_same_text() {
        String fine = "Größe " + SMILE + "\n";
        assertThat(StorableText.of(fine)).isEqualTo(fine);
        assertThat(StorableText.of(fine, fine.length())).isEqualTo(fine);
        assertThat(StorableText.ofNullable(null)).isNull();
    }

    @Test
    void nul_and_halves_of_characters_are_replaced() {
        for (String odd : new String[] {"\0", "\uD83D", "\uDE00"}) {
            assertThat(StorableText.of("a" + odd + "b")).isEqualTo("a\uFFFDb");
            assertThat(StorableText.ofNullable("a" + odd)).isEqualTo("a\uFFFD");
            assertThat(StorableText.of("a" + odd + "b", 10)).isEqualTo("a\uFFFDb");
        }
    }

    @Test
    void a_text_is_cut_between_characters() {
        assertThat(StorableText.of("abc", 2)).isEqualTo("ab");
        assertThat(StorableText.of("a" + SMILE, 2)).isEqualTo("a");
        assertThat(StorableText.of("a" + SMILE, 3)).isEqualTo("a" + SMILE);
    }
}
