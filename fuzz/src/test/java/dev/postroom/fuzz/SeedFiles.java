package dev.postroom.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Inputs that are kept, a file each; findings join them once they are repaired. */
final class SeedFiles {
    private SeedFiles() {}

    static Map<String, byte[]> of(String target) {
        try (Stream<Path> files = Files.list(folder(target))) {
            Map<String, byte[]> seeds = new TreeMap<>();
            for (Path file : files.toList()) {
                seeds.put(String.valueOf(file.getFileName()), Files.readAllBytes(file));
            }
            return seeds;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the seeds of " + target, e);
        }
    }

    private static Path folder(String target) {
        URL found = SeedFiles.class.getResource("seeds/" + target);
        if (found == null) {
            throw new IllegalStateException("there are no seeds of " + target);
        }
        try {
            return Path.of(new URI(found.toString()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException("seeds are files, not in an archive: " + List.of(found), e);
        }
    }
}
