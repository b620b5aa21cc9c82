package dev.postroom.server.database;

import dev.postroom.PostroomException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An H2 database in a file, closed to the machine's other users: it has a random password, kept in a file beside it that
 * only its owner can read. Whoever may read that file may open the database, from another process too.
 */
final class H2File {
    private static final String PREFIX = "jdbc:h2:";
    /** {@code mem:}, {@code tcp:}, {@code zip:} and others; one letter is a drive of Windows. */
    private static final Pattern NO_FILE = Pattern.compile("[A-Za-z0-9]{2,}:.*");

    private static final List<String> SUFFIXES = List.of(".mv.db", ".lock.db", ".trace.db");
    private static final int PASSWORD_BYTES = 24;

    private final Path database;

    private H2File(Path database) {
        this.database = database;
    }

    static Optional<H2File> of(String url) {
        if (!url.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String rest = url.substring(PREFIX.length());
        String name = (rest.startsWith("file:") ? rest.substring("file:".length()) : rest).split(";", 2)[0];
        if (NO_FILE.matcher(name).matches()) {
            return Optional.empty();
        }
        String home = System.getProperty("user.home");
        return Optional.of(new H2File(Path.of(name.startsWith("~") ? home + name.substring(1) : name)));
    }

    /**
     * The password to open it with. One is made before the database is. A database that is there without one was made by
     * somebody else, most likely with H2's own default, which is none.
     */
    String password(boolean mayCreate) {
        try {
            boolean exists = Files.exists(file(".mv.db"));
            if (!exists && mayCreate && !Files.exists(passwordFile())) {
                keepNewPassword();
            }
            // Looked for after the database, whose maker wrote it first: two that start together see the same.
            return Files.exists(passwordFile())
                    ? Files.readString(passwordFile()).strip()
                    : "";
        } catch (IOException e) {
            throw new PostroomException(
                    "cannot keep the database's password in " + passwordFile() + " (" + e
                            + "): make that folder writable, or set postroom.database.password",
                    e);
        }
    }

    /** Makes the database's files its owner's only. H2 makes them as open as the process's umask says. */
    void close() {
        if (!Files.exists(passwordFile())) {
            return;
        }
        for (String suffix : SUFFIXES) {
            try {
                if (isPosix() && Files.exists(file(suffix))) {
                    Files.setPosixFilePermissions(file(suffix), PosixFilePermissions.fromString("rw-------"));
                }
            } catch (IOException e) {
                // Gone again, or another's, who has to close it; the password protects it all the same.
            }
        }
    }

    Path passwordFile() {
        return file(".password");
    }

    /** Written aside and linked, so that nobody reads half a password and the first of two makers wins. */
    private void keepNewPassword() throws IOException {
        Path folder = database.toAbsolutePath().getParent();
        Files.createDirectories(folder, ownersOnly("rwx------"));
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Path written = Files.createTempFile(folder, "password", ".tmp", ownersOnly("rw-------"));
        try {
            Files.writeString(written, HexFormat.of().formatHex(random) + "\n", StandardCharsets.US_ASCII);
            Files.createLink(passwordFile(), written);
            // H2 writes its errors there, with what was in the statements, whenever there is one.
            Files.createFile(file(".trace.db"), ownersOnly("rw-------"));
        } catch (FileAlreadyExistsException e) {
            // Another process was first; its password counts.
        } finally {
            Files.delete(written);
        }
    }

    private FileAttribute<?>[] ownersOnly(String permissions) {
        return isPosix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private boolean isPosix() {
        return database.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private Path file(String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }
}
