package com.example.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Java in the documents is code that is compiled and, where its addresses are not somebody else's, run. Receivers in
 * other languages are run by examples/clients/run.
 */
class DocumentsTest {
    private static final Path ROOT = Path.of("../..");

    private static List<Snippet> snippets;

    @BeforeAll
    static void read_the_sources() throws IOException {
        snippets = Snippet.allIn(ROOT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/clients.md",
                "docs/hibernate.md",
                "docs/http.md",
                "docs/inbox.md",
                "docs/kafka.md",
                "docs/modulith.md",
                "docs/publishing.md",
                "docs/rabbitmq.md",
                "docs/recipes.md",
                "docs/relay.md",
                "docs/spring.md"
            })
    void java_in_the_document_is_code_of_ours(String document) throws IOException {
        List<String> written = Snippet.blocks(ROOT.resolve(document), "java");
        List<String> compiled = snippets.stream()
                .filter(snippet -> snippet.document().equals(document))
                .map(Snippet::text)
                .toList();
        assertThat(written)
                .isNotEmpty()
                .allSatisfy(block -> assertThat(squeezed(compiled))
                        .as(
                                "%s has this Java that no test between '// in %s' and '// until here' has; change one of them:%n%s",
                                document, document, block)
                        .contains(Snippet.squeeze(block)));
    }

    @Test
    void code_that_is_marked_as_documented_is_in_its_document() throws IOException {
        for (Snippet snippet : snippets) {
            List<String> written = Snippet.blocks(ROOT.resolve(snippet.document()), "java");
            assertThat(squeezed(written))
                    .as(
                            "%s says that this is in %s; change one of them:%n%s",
                            snippet.source(), snippet.document(), snippet.text())
                    .contains(Snippet.squeeze(snippet.text()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "js, examples/clients/js",
        "python, examples/clients/python",
        "yaml, examples/boot4-listeners/src/main/resources",
    })
    void receivers_in_other_languages_are_files_that_are_run(String language, String directory) throws IOException {
        List<String> written = Snippet.blocks(ROOT.resolve("docs/clients.md"), language);
        assertThat(written)
                .as(
                        "the %s blocks of docs/clients.md are the files of %s, each once and word for word",
                        language, directory)
                .containsExactlyInAnyOrderElementsOf(texts(ROOT.resolve(directory)));
    }

    private static List<String> texts(Path directory) throws IOException {
        List<String> texts = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.{js,py,yml}")) {
            for (Path file : files) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    @Test
    void layout_does_not_matter_and_everything_else_does() {
        assertThat(Snippet.squeeze("a(b)\n    .c(); // d")).isEqualTo(Snippet.squeeze("a( b ).c();  // d"));
        assertThat(Snippet.squeeze("a(b);")).isNotEqualTo(Snippet.squeeze("a(c);"));
    }

    private static List<String> squeezed(List<String> texts) {
        return texts.stream().map(Snippet::squeeze).toList();
    }
}
