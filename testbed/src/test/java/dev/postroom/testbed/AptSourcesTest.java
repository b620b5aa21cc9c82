package dev.postroom.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AptSourcesTest {

    @TempDir
    Path settings;

    @BeforeEach
    void a_folder_for_parts() throws IOException {
        Files.createDirectory(settings.resolve("sources.list.d"));
    }

    @Test
    void mirrors_are_read_from_lines() throws IOException {
        write("sources.list", """
                # deb http://old.example/debian bookworm main
                deb http://one.example/debian bookworm main contrib # the nearest
                deb [arch=amd64 signed-by=/a/key.gpg] http://two.example/debian stable main
                deb-src http://sources.example/debian bookworm main
                deb http://one.example/debian bookworm-updates main
                deb cdrom:[disc]/ bookworm main
                """);
        assertThat(mirrors()).containsExactly("http://one.example/debian", "http://two.example/debian");
    }

    @Test
    void mirrors_are_read_from_paragraphs() throws IOException {
        write("sources.list.d/debian.sources", """
                # by hand
                Types: deb deb-src
                # http://old.example/debian
                URIs: http://one.example/debian
                 http://two.example/debian
                Suites: bookworm bookworm-updates
                Components: main

                Types: deb
                URIs: http://security.example/debian-security
                Suites: bookworm-security
                Components: main

                Enabled: no
                Types: deb
                URIs: http://disabled.example/debian
                Suites: bookworm
                Components: main

                types: deb
                uris: http://three.example/debian
                suites: testing
                components: contrib main
                """);
        assertThat(mirrors())
                .containsExactly(
                        "http://one.example/debian", "http://two.example/debian", "http://three.example/debian");
    }

    @Test
    void what_is_not_called_as_debian_calls_its_suites_is_left_out() throws IOException {
        write("sources.list.d/tools.list", "deb https://tools.example/apt tools-bookworm main\n");
        write("sources.list.d/engine.list", "deb https://engine.example/debian bookworm stable\n");
        write("sources.list.d/debian.sources.save", "deb http://saved.example/debian bookworm main\n");
        assertThat(mirrors()).isEmpty();
    }

    @Test
    void without_settings_there_are_none() throws IOException {
        assertThat(new AptSources(settings.resolve("nowhere"), "bookworm").mirrors())
                .isEmpty();
    }

    private Iterable<String> mirrors() throws IOException {
        return new AptSources(settings, "bookworm").mirrors();
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(settings.resolve(file), text, StandardCharsets.UTF_8);
    }
}
