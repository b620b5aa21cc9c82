package dev.postroom.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The code in docs/testing.md is code that {@link ShopTest} runs. */
class GuideTest {
    private static final Path CODE = Path.of("src/test/java/dev/postroom/testkit/guide/ShopTest.java");
    private static final Path GUIDE = Path.of("../../docs/testing.md");

    @ParameterizedTest
    @ValueSource(strings = {"extension", "time", "faults", "own"})
    void documented_code_is_code_that_runs(String section) throws IOException {
        String guide = squeezed(Files.readAllLines(GUIDE));
        for (String piece : pieces(section)) {
            assertThat(guide).contains(piece);
        }
    }

    private static List<String> pieces(String section) throws IOException {
        List<String> pieces = new ArrayList<>();
        List<String> piece = null;
        for (String line : Files.readAllLines(CODE)) {
            if (line.strip().equals("// docs: " + section)) {
                piece = new ArrayList<>();
            } else if (line.strip().equals("// docs: end") && piece != null) {
                pieces.add(squeezed(piece));
                piece = null;
            } else if (piece != null) {
                piece.add(line);
            }
        }
        assertThat(pieces).isNotEmpty();
        return pieces;
    }

    private static String squeezed(List<String> lines) {
        return String.join(" ", lines.stream().map(String::strip).toList())
                .replaceAll("\\s+", " ")
                .strip();
    }
}
