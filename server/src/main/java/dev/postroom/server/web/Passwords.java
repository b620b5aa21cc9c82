package dev.postroom.server.web;

import java.util.List;
import java.util.Map;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder.SecretKeyFactoryAlgorithm;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/**
 * Keeps only salted hashes of passwords in memory. A name that nobody has must cost as much time as one that somebody has:
 * so if one user's hash is bcrypt, all are bcrypt's. A password that the settings give in plain text is never written anywhere, so
 * its own hash need not be slow, and tools that send it with every request are served fast.
 */
final class Passwords {
    private static final int SALT_BYTES = 16;
    private static final int ITERATIONS = 1_000;

    private Passwords() {}

    static PasswordEncoder encoder(List<AdminUser> users) {
        boolean bcrypt = users.stream().anyMatch(AdminUser::isHashed);
        PasswordEncoder quick =
                new Pbkdf2PasswordEncoder("", SALT_BYTES, ITERATIONS, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA256);
        return new DelegatingPasswordEncoder(
                bcrypt ? "slow" : "quick",
                Map.of("bcrypt", new BCryptPasswordEncoder(), "slow", new LongPasswords(), "quick", quick));
    }

    static UserDetailsService users(List<AdminUser> users, PasswordEncoder encoder) {
        InMemoryUserDetailsManager manager = new InMemoryUserDetailsManager();
        for (AdminUser user : users) {
            manager.createUser(User.withUsername(user.name())
                    .password(user.isHashed() ? user.password() : encoder.encode(user.password()))
                    .authorities(Roles.of(user.rights()))
                    .build());
        }
        return new ExactNames(manager, users.stream().map(AdminUser::name).toList());
    }
}
