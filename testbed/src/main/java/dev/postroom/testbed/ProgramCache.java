package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where servers' programs are kept, once per machine and user: hundreds of megabytes are not written anew by every test JVM. */
final class ProgramCache {

    private ProgramCache() {}

    static Path folder() throws IOException {
        String user = System.getProperty("user.name");
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "postroom-testbed-" + user);
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        String owner = Files.getOwner(folder).getName();
        if (!owner.equals(user)) {
            // Programs from there will be run, so nobody else may put any there.
            throw new IOException(folder + " belongs to " + owner + ", not to " + user + ": remove it");
        }
        return folder;
    }
}
