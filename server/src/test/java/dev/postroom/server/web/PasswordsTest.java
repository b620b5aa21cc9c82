package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Role;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R55")
class PasswordsTest {
    private static final AdminUser PLAIN = new AdminUser("vera", "look-only", Role.VIEWER);
    private static final AdminUser HASHED = new AdminUser("otto", "{bcrypt}$2a$10$x", Role.OPERATOR);

    @Test
    void name_that_nobody_has_costs_as_much_time_as_the_slowest_that_somebody_has() {
        assertThat(Passwords.encoder(List.of(PLAIN)).encode("x")).startsWith("{quick}");
        assertThat(Passwords.encoder(List.of(PLAIN, HASHED)).encode("x")).startsWith("{bcrypt}");
    }

    @Test
    void password_is_kept_as_a_hash_only() {
        String kept = Passwords.users(List.of(PLAIN), Passwords.encoder(List.of(PLAIN)))
                .loadUserByUsername("vera")
                .getPassword();
        assertThat(kept).isNotNull().doesNotContain("look-only");
    }
}
