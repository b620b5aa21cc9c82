package dev.postroom.server.web;

import java.util.List;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/** Users in memory are found whatever the case of their name; the audit must show the one that the settings have. */
record ExactNames(UserDetailsService users, List<String> names) implements UserDetailsService {

    @Override
    public UserDetails loadUserByUsername(String name) {
        if (!names.contains(name)) {
            throw new UsernameNotFoundException("there is no such user");
        }
        return users.loadUserByUsername(name);
    }
}
