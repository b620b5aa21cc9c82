package com.example.billing;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The class path of a test JVM, all of it as jars: only from these may a JVM share an archive of loaded classes. Folders are
 * packed into jars under the given folder.
 */
record Jars(Path folder) {

    /** What the application needs, without this test and the other application, which has an application.yml too. */
    String classPath(Class<?> application, Class<?> other) throws IOException {
        List<Path> notMine = List.of(home(other), home(Jars.class));
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.exists(path) && !notMine.contains(path)) {
                // Its own first, so that nothing else's settings are found before.
                jars.add(
                        path.equals(home(application)) ? 0 : jars.size(),
                        jar(path).toString());
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    private Path jar(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return path;
        }
        Path jar = folder.resolve(Integer.toHexString(path.hashCode()) + ".jar");
        if (!Files.exists(jar)) {
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                    Stream<Path> files = Files.walk(path)) {
                for (Path file : files.filter(one -> !one.equals(path)).toList()) {
                    pack(path.relativize(file), file, out);
                }
            }
        }
        return jar;
    }

    /** Folders have entries of their own, or Spring would not find the classes in them. */
    private static void pack(Path name, Path file, JarOutputStream out) throws IOException {
        boolean isFolder = Files.isDirectory(file);
        out.putNextEntry(new JarEntry(isFolder ? name + "/" : name.toString()));
        if (!isFolder) {
            Files.copy(file, out);
        }
        out.closeEntry();
    }

    private static Path home(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
