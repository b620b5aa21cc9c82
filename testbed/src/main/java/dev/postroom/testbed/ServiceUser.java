package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The user whom a Debian package has made for its server. Some servers refuse to run as root; who is not root runs them as
 * themselves.
 */
record ServiceUser(String name) implements RunsAs {

    /** Of PostgreSQL, and of what stands in front of it. */
    static final ServiceUser POSTGRES = new ServiceUser("postgres");

    @Override
    public List<String> command(List<String> program) {
        List<String> command = new ArrayList<>();
        if (isNeeded()) {
            command.addAll(List.of("setpriv", "--reuid=" + name, "--regid=" + name, "--init-groups"));
        }
        command.addAll(program);
        return command;
    }

    @Override
    public void own(Path file) throws IOException {
        if (isNeeded()) {
            Files.setOwner(
                    file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name));
        }
    }

    private static boolean isNeeded() {
        return System.getProperty("user.name").equals("root");
    }
}
