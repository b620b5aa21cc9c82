package dev.postroom.testkit.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A connection, or a statement of one, that translates every statement before it is prepared or run. A proxy, because JDBC's
 * interfaces have hundreds of methods that are passed on as they are.
 */
record ClockedConnection(Object target, UnaryOperator<String> translation) implements InvocationHandler {
    private static final Set<String> TAKE_SQL = Set.of(
            "prepareStatement",
            "prepareCall",
            "nativeSQL",
            "execute",
            "executeQuery",
            "executeUpdate",
            "executeLargeUpdate",
            "addBatch");

    static Connection of(Connection connection, UnaryOperator<String> translation) {
        return (Connection) proxy(Connection.class, new ClockedConnection(connection, translation));
    }

    private static Object proxy(Class<?> type, ClockedConnection handler) {
        return Proxy.newProxyInstance(ClockedConnection.class.getClassLoader(), new Class<?>[] {type}, handler);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (arguments != null && arguments[0] instanceof String sql && TAKE_SQL.contains(method.getName())) {
            arguments[0] = translation.apply(sql);
        }
        try {
            Object result = method.invoke(target, arguments);
            boolean takesSql = result instanceof Statement && !(result instanceof PreparedStatement);
            return takesSql && target instanceof Connection
                    ? proxy(Statement.class, new ClockedConnection(result, translation))
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
