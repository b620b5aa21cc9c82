package dev.postroom.jdbc.internal.h2;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Has H2 explain every prepared statement with the parameters it really has, just before it runs: with the number of
 * rows looked at where explaining does not change anything, else only with the way it goes.
 */
public final class ExplainedConnections {
    private final DataSource dataSource;
    private final List<String> plans = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();

    public ExplainedConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** The plans since the last call. */
    public List<String> take() {
        List<String> taken = List.copyOf(plans);
        plans.clear();
        return taken;
    }

    /** The statements since the last call. */
    public List<String> takeStatements() {
        List<String> taken = List.copyOf(statements);
        statements.clear();
        return taken;
    }

    public DataSource dataSource() {
        return proxy(DataSource.class, (proxy, method, args) -> {
            Object result = invoke(dataSource, method, args);
            return result instanceof Connection connection ? explained(connection) : result;
        });
    }

    private Connection explained(Connection connection) {
        return proxy(Connection.class, (proxy, method, args) -> {
            Object result = invoke(connection, method, args);
            if (!(result instanceof PreparedStatement statement)) {
                return result;
            }
            String sql = (String) args[0];
            statements.add(sql);
            PreparedStatement explaining = connection.prepareStatement(how(sql) + sql);
            return explained(statement, explaining);
        });
    }

    private static String how(String sql) {
        String start = sql.strip().toUpperCase(Locale.ROOT);
        boolean changesNothing = start.startsWith("SELECT") && !start.contains("FINAL TABLE");
        return changesNothing ? "EXPLAIN ANALYZE " : "EXPLAIN ";
    }

    private PreparedStatement explained(PreparedStatement statement, PreparedStatement explaining) {
        return proxy(PreparedStatement.class, (proxy, method, args) -> {
            String name = method.getName();
            if (name.startsWith("set") && args.length >= 2) {
                invoke(explaining, method, args);
            } else if (name.startsWith("execute") || name.equals("addBatch")) {
                explain(explaining);
            } else if (name.equals("close")) {
                explaining.close();
            }
            return invoke(statement, method, args);
        });
    }

    private void explain(PreparedStatement explaining) throws SQLException {
        try (ResultSet plan = explaining.executeQuery()) {
            while (plan.next()) {
                plans.add(plan.getString(1));
            }
        } catch (SQLException e) {
            // A batch's execution comes without parameters of its own; its entries were explained when they were added.
            if (e.getErrorCode() != org.h2.api.ErrorCode.PARAMETER_NOT_SET_1) {
                throw e;
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
