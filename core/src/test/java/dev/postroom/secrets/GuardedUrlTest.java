package dev.postroom.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R72")
class GuardedUrlTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://h:5432/db?user=u&ssl=true | jdbc:postgresql://h:5432/db?user=u&ssl=true",
                "jdbc:postgresql://a:1,b:2/db?password=geheim&ssl=true | jdbc:postgresql://a:1,b:2/db?password=***",
                "jdbc:postgresql://[::1]:5432/db?sslpassword=a b&c | jdbc:postgresql://[::1]:5432/db?sslpassword=***",
                "jdbc:postgresql://h/db?ApplicationName=a@b | jdbc:postgresql://h/db?ApplicationName=a@b",
                "jdbc:postgresql://u:p@ss/word@h:5432/db | jdbc:postgresql://u:***@h:5432/db",
                "jdbc:postgresql://u:12345/word@h/db | jdbc:postgresql://u:***@h/db",
                "jdbc:postgresql://u:geheim | jdbc:postgresql://u:***",
                "jdbc:mariadb://address=(host=a)(port=3306)/db?password=x | jdbc:mariadb://address=(host=a)(port=3306)/db?password=***",
                "jdbc:h2:file:/home/a@b/x;USER=sa;PASSWORD=file user;MODE=MySQL | jdbc:h2:file:/home/a@b/x;USER=sa;PASSWORD=***",
                "jdbc:h2:tcp://localhost/~/x;PASSWORD=geheim | jdbc:h2:tcp://localhost/~/x;PASSWORD=***",
                "jdbc:h2:mem:x;PASS\\WORD=geheim | jdbc:h2:mem:x;PASS\\WORD=***",
                "jdbc:h2:mem:x;\\P\\A\\S\\SWORD=geheim | jdbc:h2:mem:x;\\P\\A\\S\\SWORD=***",
                "jdbc:postgresql://h/db?p%61ssword=geheim | jdbc:postgresql://h/db?p%61ssword=***",
                "jdbc:h2:mem:x;PASSWORD=://h@x/y | jdbc:h2:mem:x;PASSWORD=***",
                "amqp://u:p@h:5672/%2f | amqp://u:***@h:5672/%2f",
                "amqp://u@h | amqp://u@h",
                "amqp://u:a?b#c@h | amqp://u:***@h",
                "https://token@h:8443/hooks/x?y=z | https://***@h:8443",
                "./data | ./data",
            })
    void shows_where_it_leads_and_none_of_its_secrets(String url, String shown) {
        assertThat(GuardedUrl.of(url).shown()).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "geheim42",
                "p%40ss%2Fword",
                "p@ss/word",
                "12345/word@more:than?one#sign",
                "mit leer & zeichen=;",
                "\"quotes'"
            })
    void hides_its_secrets_and_their_parts_in_other_texts(String password) {
        for (String url : new String[] {
            "jdbc:postgresql://user:" + password + "@host:5432/db",
            "amqp://user:" + password + "@host",
            "jdbc:postgresql://host/db?password=" + password,
            "jdbc:h2:mem:x;PASSWORD=" + password
        }) {
            Secrets secrets = GuardedUrl.of(url).secrets();
            assertThat(secrets.hide("cannot read " + url + ": " + password + ", " + PercentCode.decode(password)))
                    .doesNotContain(password, PercentCode.decode(password));
            for (String part : password.split("[@/?#&;=: ]", -1)) {
                if (part.length() >= 4 && !url.startsWith("jdbc:h2:")) {
                    assertThat(secrets.hide("unknown host " + part)).doesNotContain(part);
                }
            }
        }
    }

    @Test
    void hides_tokens_of_a_path_and_leaves_its_words() {
        Secrets secrets = GuardedUrl.of(
                        "https://hooks.example.com/services/T0001AB/B00CD22EF/xoxb-1234?key=abcdef1&v=1")
                .secrets();
        assertThat(secrets.hide("no /services/T0001AB/B00CD22EF/xoxb-1234?key=abcdef1&v=1, no B00CD22EF, no abcdef1"))
                .isEqualTo("no ***, no ***, no ***");
        assertThat(secrets.hide("these services")).isEqualTo("these services");
    }

    @Test
    void a_password_that_is_shown_as_the_name_is_no_secret_there() {
        assertThat(GuardedUrl.of("amqp://guest:guest@h").secrets().hide("user guest"))
                .isEqualTo("user guest");
        assertThat(GuardedUrl.of("amqp://guest:guest@h").shown()).isEqualTo("amqp://guest:***@h");
    }
}
