package dev.postroom.jdbc.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Knows the statement that a connection made last, so that another thread can have it broken off: only the statement itself
 * can be cancelled in the same way in every driver, and closing the connection under it would make pools complain.
 */
final class LatestStatement {
    private volatile @Nullable Statement statement;

    /** The same connection, whose statements are noted. */
    Connection on(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                LatestStatement.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (result instanceof Statement made) {
                            statement = made;
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Asks the database to break it off; one that has ended is left alone. */
    void cancel() {
        Statement running = statement;
        if (running != null) {
            try {
                if (!running.isClosed()) {
                    running.cancel();
                }
            } catch (SQLException e) {
                // it ended meanwhile, or the connection is broken: its user notices by itself
            }
        }
    }
}
