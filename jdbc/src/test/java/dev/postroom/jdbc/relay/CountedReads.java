package dev.postroom.jdbc.relay;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts how often a relay has looked for messages. */
record CountedReads(DataSource dataSource, AtomicInteger count) {
    CountedReads(DataSource dataSource) {
        this(dataSource, new AtomicInteger());
    }

    DataSource counted() {
        return proxy(DataSource.class, (proxy, method, args) -> {
            Object result = invoke(dataSource, method, args);
            return result instanceof Connection connection ? counted(connection) : result;
        });
    }

    private Connection counted(Connection connection) {
        return proxy(Connection.class, (proxy, method, args) -> {
            if (method.getName().equals("prepareStatement") && ((String) args[0]).contains("pg_current_snapshot")) {
                count.incrementAndGet();
            }
            return invoke(connection, method, args);
        });
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
