package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The beginning of docs/spring.md is code that {@link ApplicationContract} runs. */
class QuickStartTest {
    private static final Path SHOP = Path.of("src/test/java/dev/postroom/spring/boot/Shop.java");
    private static final Path DOCS = Path.of("../../docs/spring.md");

    @Test
    void documented_code_is_code_that_runs() throws IOException {
        List<String> shop = Files.readAllLines(SHOP).stream().map(String::strip).toList();
        List<String> documented =
                between(Files.readAllLines(DOCS).stream().map(String::strip).toList(), "```java", "```");
        assertThat(documented).hasSizeBetween(10, 20).isSubsetOf(shop);
        assertThat(documented)
                .containsAll(between(shop, "// docs/spring.md begins with this", "// and goes on with"))
                .containsAll(between(shop, "// this", "// until here"));
    }

    private static List<String> between(List<String> lines, String first, String last) {
        List<String> rest = lines.subList(lines.indexOf(first) + 1, lines.size());
        return rest.subList(0, rest.indexOf(last));
    }
}
