package dev.postroom.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GivenUrlTest {

    @Test
    void user_and_password_are_taken_out_and_the_rest_stays() {
        GivenUrl url = GivenUrl.parse("VAR", "jdbc:mariadb://db:3306/test?user=u&sslMode=trust&password=p%26q");
        assertThat(url.username()).isEqualTo("u");
        assertThat(url.password()).isEqualTo("p&q");
        assertThat(url.url()).isEqualTo("jdbc:mariadb://db:3306/test?sslMode=trust");
        assertThat(url.withDatabase("other")).isEqualTo("jdbc:mariadb://db:3306/other?sslMode=trust");
    }

    @Test
    void a_url_without_database_names_the_variable_and_hides_the_password() {
        assertThatThrownBy(() -> GivenUrl.parse("VAR", "jdbc:mariadb://db:3306?password=secret"))
                .isInstanceOf(TestbedException.class)
                .hasMessageContaining("VAR must be like")
                .hasMessageNotContaining("secret");
    }
}
