package dev.postroom.jdbc.internal.postgresql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Has the server explain every statement that runs through it, with the parameters it really had, and keeps the plans:
 * auto_explain sends them to the client as notices.
 */
public final class PlanRecorder {
    private final DataSource dataSource;
    private final List<String> plans = new ArrayList<>();

    public PlanRecorder(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    public DataSource dataSource() {
        return proxy(DataSource.class, (proxy, method, args) -> {
            Object result = invoke(dataSource, method, args);
            return result instanceof Connection connection ? explaining(connection) : result;
        });
    }

    /** The plans since the last call. */
    public List<String> take() {
        List<String> taken = List.copyOf(plans);
        plans.clear();
        return taken;
    }

    private Connection explaining(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOAD 'auto_explain'");
            statement.execute("SET auto_explain.log_min_duration = 0");
            statement.execute("SET auto_explain.log_analyze = on");
            statement.execute("SET auto_explain.log_buffers = on");
            statement.execute("SET auto_explain.log_format = json");
            statement.execute("SET client_min_messages = log");
        }
        return proxy(Connection.class, (proxy, method, args) -> {
            Object result = invoke(connection, method, args);
            if (method.getName().equals("commit")) {
                // A statement ends when the next one begins, the last one of a transaction with the transaction.
                collect(connection.getWarnings());
                connection.clearWarnings();
            }
            return result instanceof PreparedStatement statement ? collecting(statement) : result;
        });
    }

    private PreparedStatement collecting(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (proxy, method, args) -> {
            if (method.getName().equals("close")) {
                collect(statement.getWarnings());
            }
            return invoke(statement, method, args);
        });
    }

    private void collect(@Nullable SQLWarning first) {
        for (SQLWarning notice = first; notice != null; notice = notice.getNextWarning()) {
            if (notice.getMessage().contains("\"Plan\"")) {
                plans.add(notice.getMessage());
            }
        }
    }

    private static Object invoke(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
