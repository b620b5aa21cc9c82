package dev.postroom.testbed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Servers that all JVMs of a test run share, by name: {@code postgresql newest}, {@code rabbitmq debian}. The run starts each when it
 * is first asked for, and ends it; a JVM that belongs to no run, as in an IDE, starts its own.
 */
public final class SharedServers {

    /** The system property with the port where the run answers. */
    public static final String PORT = "postroom.testbed.run";

    private static final String FAILED = "failed ";
    /** Longer than any server may take to be installed and started. */
    private static final int ANSWER_LIMIT_MILLIS = 900_000;

    private SharedServers() {}

    /** Where a server is, or null when this JVM belongs to no run. */
    static @Nullable String address(String name) {
        Integer port = Integer.getInteger(PORT);
        if (port == null) {
            return null;
        }
        try (Socket run = new Socket(InetAddress.getLoopbackAddress(), port);
                PrintWriter out =
                        new PrintWriter(new OutputStreamWriter(run.getOutputStream(), StandardCharsets.UTF_8), true);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(run.getInputStream(), StandardCharsets.UTF_8))) {
            run.setSoTimeout(ANSWER_LIMIT_MILLIS);
            out.println(name);
            String answer = in.readLine();
            if (answer == null || answer.startsWith(FAILED)) {
                throw new TestbedException(
                        answer == null ? "the test run has ended" : answer.substring(FAILED.length()), null);
            }
            return answer;
        } catch (IOException e) {
            throw new TestbedException("the test run does not say where its " + name + " is", e);
        }
    }

    /** What a run answers who asks for a server: where it is, or why there is none. Starts it at the first call. */
    public static String answer(String name) {
        try {
            String[] words = name.split(" ", -1);
            return switch (words[0]) {
                case Postgres.NAME -> urlWithUser(Postgres.version(words[1]));
                case MariaDb.NAME -> urlWithUser(MariaDb.version(words[1]));
                case RabbitMqBroker.NAME -> RabbitMqBroker.shared(words[1]).uri();
                case KafkaBroker.NAME -> KafkaBroker.shared(words[1]).address();
                default -> throw new TestbedException("no server is called " + name, null);
            };
        } catch (RuntimeException e) {
            StringBuilder causes = new StringBuilder(FAILED);
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                causes.append(cause == e ? "" : ": ").append(cause.getMessage());
            }
            return causes.toString().replaceAll("\\R", " | ");
        }
    }

    private static String urlWithUser(DatabaseServer server) {
        return server.url() + (server.url().contains("?") ? "&" : "?") + "user=" + server.username() + "&password="
                + server.password();
    }
}
