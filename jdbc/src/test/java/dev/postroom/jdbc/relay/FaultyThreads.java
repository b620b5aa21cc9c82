package dev.postroom.jdbc.relay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A data source whose connections throw an Error when a thread of a chosen name prepares a statement. Thread-safe. */
final class FaultyThreads {
    private final DataSource dataSource;
    private final AtomicInteger left = new AtomicInteger();
    private volatile String suffix = "";

    FaultyThreads(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** The next so many statements of the thread whose name ends like this fail. */
    void fail(String threadSuffix, int times) {
        suffix = threadSuffix;
        left.set(times);
    }

    DataSource dataSource() {
        return proxy(DataSource.class, dataSource);
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("prepare")) {
                        failIfChosen();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof Connection connection ? proxy(Connection.class, connection) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private void failIfChosen() {
        boolean chosen = Thread.currentThread().getName().endsWith(suffix);
        if (chosen && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new AssertionError("a bug of the " + suffix.substring(1));
        }
    }
}
