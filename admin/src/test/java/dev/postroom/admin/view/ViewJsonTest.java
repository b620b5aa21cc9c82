package dev.postroom.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ViewJsonTest {
    @Test
    @Tag("R60")
    void half_a_character_in_one_row_does_not_fail_the_answer_about_all() {
        assertThat(new String(ViewJson.bytes(List.of("good", "half \ud800", "\ud83d\ude80")), StandardCharsets.UTF_8))
                .isEqualTo("[\"good\",\"half ?\",\"\ud83d\ude80\"]");
    }
}
