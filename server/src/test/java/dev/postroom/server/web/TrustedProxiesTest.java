package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R55")
class TrustedProxiesTest {
    private final TrustedProxies proxies = TrustedProxies.of("key", List.of("10.1.0.0/16", "192.0.2.7", "fd00::/8"));

    @Test
    void addresses_and_ranges_of_both_kinds_are_known() {
        assertThat(List.of("10.1.2.3", "192.0.2.7", "fd00::1", "::ffff:10.1.2.3"))
                .allMatch(proxies::contains);
        assertThat(List.of("10.2.0.1", "192.0.2.8", "fe80::1", "", "proxy.example"))
                .noneMatch(proxies::contains);
        assertThat(TrustedProxies.NONE.contains("127.0.0.1")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy.example", "10.1.0.0/33", "10.1.0.0/x", "999.1.1.1", "*", ""})
    void what_is_no_address_is_refused_naming_the_setting(String word) {
        assertThatThrownBy(() -> TrustedProxies.of("postroom.admin.trusted-proxies", List.of(word)))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom.admin.trusted-proxies")
                .hasMessageContaining("'" + word + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.1, 203.0.113.9, 203.0.113.9",
        "10.1.0.1, '203.0.113.9|10.1.0.2', 203.0.113.9",
        "10.1.0.1, 203.0.113.9:4711, 203.0.113.9",
        "10.1.0.1, '[2001:db8::1]:4711', 2001:db8:0:0:0:0:0:1",
        // whatever a client put in front of what our proxies added
        "10.1.0.1, '127.0.0.1|203.0.113.9', 203.0.113.9",
        "10.1.0.1, '10.1.0.9|203.0.113.9|10.1.0.2', 203.0.113.9",
        // the last that is known, where the rest is nonsense
        "10.1.0.1, 'evil.example|10.1.0.2', 10.1.0.2",
        "10.1.0.1, '', 10.1.0.1",
        // nobody's word but our proxies'
        "203.0.113.9, 10.1.0.1, 203.0.113.9"
    })
    void client_is_whoever_spoke_to_the_first_of_our_proxies(String peer, String forwardedFor, String client) {
        List<String> addresses = Arrays.asList(forwardedFor.split("\\|"));
        assertThat(proxies.client(peer, addresses)).isEqualTo(client);
    }
}
