package dev.postroom.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * MariaDB's programs, unpacked once per machine and user.
 *
 * <p>Several JVMs may come here at once. Each unpacks into a folder of its own, and the first to rename it wins.
 */
final class MariaDbPrograms {

    private static final String PLATFORM = "/linux/";

    private MariaDbPrograms() {}

    static Path unpacked(Path archive, String name) throws IOException {
        Path cache = ProgramCache.folder();
        Path programs = cache.resolve(name);
        if (Files.isDirectory(programs)) {
            return programs;
        }
        Path unfinished = Files.createTempDirectory(cache, name);
        unpack(archive, unfinished);
        try {
            Files.move(unfinished, programs, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (!Files.isDirectory(programs)) {
                throw e;
            }
            delete(unfinished); // another JVM was faster
        }
        return programs;
    }

    private static void unpack(Path archive, Path target) throws IOException {
        try (JarFile jar = new JarFile(archive.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                int start = entry.getName().indexOf(PLATFORM);
                if (start < 0 || entry.isDirectory()) {
                    continue;
                }
                String relative = entry.getName().substring(start + PLATFORM.length());
                if (!wanted(relative)) {
                    continue;
                }
                Path file = target.resolve(relative).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException(archive + " has an entry outside of itself: " + relative);
                }
                Files.createDirectories(file.getParent());
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, file);
                }
                if (!relative.startsWith("share/")) {
                    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
        }
    }

    /** Client programs and libraries stay packed. */
    private static boolean wanted(String file) {
        return file.startsWith("scripts/")
                || file.startsWith("share/")
                || List.of("bin/mariadbd", "bin/my_print_defaults", "bin/resolveip")
                        .contains(file);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
