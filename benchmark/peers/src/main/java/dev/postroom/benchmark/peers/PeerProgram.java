package dev.postroom.benchmark.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;

/**
 * One system in a process of its own. Its argument is the class of a {@link Peer} with a constructor that takes a
 * {@link DataSource}. For each line on its input, a number of messages, it does a round and answers with a line of rates;
 * it ends with its input, or when a round fails, whose reason it says instead of an answer.
 */
public final class PeerProgram {
    /** Starts each answer that is none. */
    public static final String FAILED = "failed: ";

    /** For the workers of whoever has most, and a few more. */
    private static final int CONNECTIONS = 40;

    private PeerProgram() {}

    /** Where the database is comes in the environment, because everybody can see arguments. */
    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err); // so that nothing but answers goes there
        int status = 0;
        try (HikariDataSource database = database();
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                answers.println(new Round(database, Integer.parseInt(line), Round.PATIENCE)
                        .run(open(args[0], database))
                        .line());
                answers.flush();
            }
        } catch (Exception e) {
            e.printStackTrace(System.err);
            answers.println(FAILED + e.getMessage());
            answers.flush();
            status = 1;
        }
        System.exit(status); // whatever threads somebody has left
    }

    private static Peer open(String type, DataSource database) throws ReflectiveOperationException {
        return Class.forName(type)
                .asSubclass(Peer.class)
                .getConstructor(DataSource.class)
                .newInstance(database);
    }

    private static HikariDataSource database() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getenv("PEER_DATABASE"));
        config.setUsername(System.getenv("PEER_USERNAME"));
        config.setPassword(System.getenv("PEER_PASSWORD"));
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }
}
