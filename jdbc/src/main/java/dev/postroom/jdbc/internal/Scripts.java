package dev.postroom.jdbc.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The migrations of one database, in order; a script's version is its place, from 1. Immutable. */
final class Scripts {
    private static final List<String> NAMES = List.of("V001__foundation.sql");

    private final List<Script> scripts;

    /** Its text is read when it is asked for: most who open a store never migrate. */
    private record Script(String name, Supplier<String> text) {}

    private Scripts(List<Script> scripts) {
        this.scripts = scripts;
    }

    /** Those that come with this version of the code. */
    static Scripts bundled(String folder) {
        return new Scripts(NAMES.stream()
                .map(name -> new Script(name, () -> read("/dev/postroom/jdbc/" + folder + "/" + name)))
                .toList());
    }

    /** These, and one more after them. */
    Scripts followedBy(String name, String text) {
        return new Scripts(Stream.concat(scripts.stream(), Stream.of(new Script(name, () -> text)))
                .toList());
    }

    int latest() {
        return scripts.size();
    }

    String name(int version) {
        return scripts.get(version - 1).name();
    }

    String text(int version) {
        return scripts.get(version - 1).text().get();
    }

    private static String read(String path) {
        try (InputStream in = Scripts.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("missing from postroom-jdbc: " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
