package dev.postroom;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The expected values were computed with another language's SHA-256. */
@Tag("R6")
class IdempotencyKeyTest {

    @Test
    void is_the_same_on_every_machine() {
        assertThat(IdempotencyKey.of("acme", "order", "42", "created"))
                .isEqualTo(key("9c25a696-450b-4c08-b320-a2add6527b20"));
        assertThat(IdempotencyKey.of("acme", "order", "42", "created", 3))
                .isEqualTo(key("171f0ef0-0891-ad19-e599-38955fef4a8d"));
    }

    @Test
    void a_text_in_place_of_the_version_tells_keys_apart_and_a_number_is_its_text() {
        assertThat(IdempotencyKey.of("acme", "order", "42", "created", "3"))
                .isEqualTo(IdempotencyKey.of("acme", "order", "42", "created", 3));
        assertThat(IdempotencyKey.of("acme", "order", "42", "created", "2026-11-18T08"))
                .isEqualTo(IdempotencyKey.of("acme", "order", "42", "created", "2026-11-18t08"))
                .isNotEqualTo(IdempotencyKey.of("acme", "order", "42", "created", "2026-11-18T09"));
        assertThat(IdempotencyKey.of("acme", "order", "42", "created:x", "y"))
                .isNotEqualTo(IdempotencyKey.of("acme", "order", "42", "created", "x:y"));
    }

    @Test
    void no_version_is_version_0() {
        assertThat(IdempotencyKey.of("acme", "order", "42", "created", 0))
                .isEqualTo(IdempotencyKey.of("acme", "order", "42", "created"));
    }

    /** These tests run with a Turkish locale, in which the lower case of I is no i. */
    @Test
    void case_does_not_distinguish_keys_whatever_the_locale() {
        assertThat(IdempotencyKey.of("ACME", "ORDER", "I42", "TITLE"))
                .isEqualTo(IdempotencyKey.of("acme", "order", "i42", "title"))
                .isEqualTo(key("3ea19605-35c4-67e6-3490-55ea5c45bc23"));
    }

    @Test
    void characters_are_hashed_as_utf_8_whatever_the_default() {
        assertThat(IdempotencyKey.of("", "Größe", "x\\y", "k", 1))
                .isEqualTo(key("d4a5c673-fca2-d06e-090a-d58c6583abb8"));
    }

    @Test
    void shifted_parts_never_collide() {
        assertThat(IdempotencyKey.of("a:b", "c", "d", "e")).isEqualTo(key("05730c50-508e-97e9-5cb4-3191cc34a184"));
        assertThat(IdempotencyKey.of("a", "b:c", "d", "e")).isEqualTo(key("5c7ad0bb-7990-d927-8453-44598763c8bb"));
        assertThat(IdempotencyKey.of("a\\", "b", "c", "d")).isNotEqualTo(IdempotencyKey.of("a", "\\b", "c", "d"));
        assertThat(IdempotencyKey.of("a\\:b", "c", "d", "e")).isNotEqualTo(IdempotencyKey.of("a\\", "b:c", "d", "e"));
    }

    private static IdempotencyKey key(String uuid) {
        return new IdempotencyKey(UUID.fromString(uuid));
    }
}
