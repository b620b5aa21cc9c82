package dev.postroom.jdbc.inbox;

import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import java.lang.reflect.Proxy;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import javax.sql.DataSource;

/** A consumer in a process of its own: handles one message, and says how far it is. */
final class ConsumerProgram {
    static final String WRITTEN = "written";
    /** What this program says, among what libraries log. */
    static final String SAYS = "> ";

    private ConsumerProgram() {}

    /** Where it stands still, to be killed there. */
    enum Stop {
        BEFORE_COMMIT,
        AFTER_COMMIT,
        NEVER
    }

    /** Arguments: JDBC URL, user, password, message id, where to stop. */
    public static void main(String[] args) throws Exception {
        DataSource dataSource = (DataSource) Proxy.newProxyInstance(
                ConsumerProgram.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, given) -> {
                    if (method.getName().equals("getConnection")) {
                        return DriverManager.getConnection(args[0], args[1], args[2]);
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        String messageId = args[3];
        Stop stop = Stop.valueOf(args[4]);
        Handling handling = Inbox.on(dataSource).handleOnce("billing", messageId, tx -> {
            try (PreparedStatement insert = tx.connection().prepareStatement("INSERT INTO bills VALUES (?)")) {
                insert.setString(1, messageId);
                insert.executeUpdate();
            }
            System.out.println(SAYS + WRITTEN);
            standStill(stop == Stop.BEFORE_COMMIT);
        });
        System.out.println(SAYS + handling);
        standStill(stop == Stop.AFTER_COMMIT);
    }

    /** Until this process is killed, or its parent ends. */
    private static void standStill(boolean here) throws java.io.IOException {
        while (here && System.in.read() >= 0) {}
    }
}
