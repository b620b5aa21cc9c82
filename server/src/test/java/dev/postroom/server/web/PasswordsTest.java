package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Role;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

@Tag("R55")
class PasswordsTest {
    private static final AdminUser PLAIN = new AdminUser("vera", "look-only", Role.VIEWER);
    private static final AdminUser HASHED = new AdminUser("otto", "{bcrypt}$2a$10$x", Role.OPERATOR);

    @Test
    void name_that_nobody_has_costs_as_much_time_as_the_slowest_that_somebody_has() {
        assertThat(Passwords.encoder(List.of(PLAIN)).encode("x")).startsWith("{quick}");
        assertThat(Passwords.encoder(List.of(PLAIN, HASHED)).encode("x")).startsWith("{slow}$2a$10$");
    }

    @Test
    void plain_password_of_any_length_is_taken_beside_a_hashed_one() {
        AdminUser wordy = new AdminUser("wanda", "correct horse battery staple ".repeat(4), Role.VIEWER);
        List<AdminUser> users = List.of(wordy, HASHED);
        PasswordEncoder encoder = Passwords.encoder(users);
        String kept =
                Passwords.users(users, encoder).loadUserByUsername("wanda").getPassword();
        assertThat(encoder.matches(wordy.password(), kept)).isTrue();
        assertThat(encoder.matches(wordy.password().substring(0, 80), kept)).isFalse();
        assertThat(encoder.matches(wordy.password(), HASHED.password())).isFalse();
    }

    @Test
    void password_is_kept_as_a_hash_only() {
        String kept = Passwords.users(List.of(PLAIN), Passwords.encoder(List.of(PLAIN)))
                .loadUserByUsername("vera")
                .getPassword();
        assertThat(kept).isNotNull().doesNotContain("look-only");
    }
}
