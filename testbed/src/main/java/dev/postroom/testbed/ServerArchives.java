package dev.postroom.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The server archives that the build has fetched, by name and age. */
final class ServerArchives {

    private final Properties known = new Properties();

    ServerArchives() {
        try (InputStream in = ServerArchives.class.getResourceAsStream("servers.properties")) {
            if (in == null) {
                throw new TestbedException("servers.properties is missing: build the testbed with Maven first", null);
            }
            known.load(in);
        } catch (IOException e) {
            throw new TestbedException("servers.properties cannot be read", e);
        }
    }

    /** The version of a server, such as {@code 18.6.0} for {@code postgresql}, {@code newest}. */
    String version(String server, String age) {
        return property(server + "." + age);
    }

    /** The archive with that version's programs, for 64-bit Linux. */
    Path archive(String server, String age, String variable) {
        String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!platform.equals("Linux amd64")) {
            throw new TestbedException(
                    "no " + server + " for this platform (" + platform
                            + ", want Linux amd64): start one yourself and set " + variable
                            + " to its JDBC URL with user and password",
                    null);
        }
        Path archive = Path.of(property("directory"), server + "-" + version(server, age) + ".jar");
        if (!Files.isRegularFile(archive)) {
            throw new TestbedException(
                    archive + " is missing: run mvn generate-resources -pl testbed, or set " + variable
                            + " to the JDBC URL of a running server with user and password",
                    null);
        }
        return archive;
    }

    /** The folder with the libraries of a Kafka broker, the newest or the oldest. */
    Path kafka(String age, String variable) {
        Path folder = Path.of(property("kafka." + age));
        if (!Files.isDirectory(folder)) {
            throw new TestbedException(
                    folder + " is missing: run mvn generate-resources -Pevery-server -pl testbed -am, or set "
                            + variable + " to the address of a running broker",
                    null);
        }
        return folder;
    }

    private String property(String key) {
        String value = known.getProperty(key);
        if (value == null) {
            throw new TestbedException("servers.properties has no " + key, null);
        }
        return value;
    }
}
