package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The user whom a server runs as, and the root directory that it sees. */
interface RunsAs {

    /** A command that is run so, with the process id that it is started with. */
    List<String> command(List<String> program);

    /** Gives a file or a folder to this user. */
    void own(Path file) throws IOException;
}
