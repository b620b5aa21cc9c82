package dev.postroom.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ChromiumTest {

    @Test
    void browser_is_there_or_gets_installed() {
        assertThat(Chromium.program()).isExecutable();
    }

    @Test
    void given_path_that_is_no_program_is_refused() {
        assertThatThrownBy(() -> Chromium.given("/no/such/browser"))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("POSTROOM_TEST_CHROMIUM")
                .hasMessageContaining("/no/such/browser");
    }
}
