package dev.postroom.kafka;

import dev.postroom.inbox.Inbox;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A consumer in a process of its own, which dies in the middle of its work. */
final class KilledInboxProgram {
    static final int DEATH = 9;

    private KilledInboxProgram() {}

    /** Where it dies. */
    enum Death {
        IN_HANDLER,
        AFTER_COMMIT,
        NEVER
    }

    /** Arguments: JDBC URL, user, password, broker, group, topic, where to die, and at which message. */
    public static void main(String[] args) throws Exception {
        Death death = Death.valueOf(args[6]);
        AtomicInteger left = new AtomicInteger(Integer.parseInt(args[7]));
        DataSource dataSource = proxy(DataSource.class, (method, given) -> {
            Connection real = DriverManager.getConnection(args[0], args[1], args[2]);
            return proxy(Connection.class, (name, arguments) -> {
                Object result = call(real, name, arguments);
                if (name.getName().equals("commit") && death == Death.AFTER_COMMIT && left.decrementAndGet() == 0) {
                    Runtime.getRuntime().halt(DEATH);
                }
                return result;
            });
        });
        Inbox inbox = Inbox.on(dataSource);
        try (KafkaInbox running = KafkaInbox.at(args[3], args[4])
                .topics(args[5])
                .property("session.timeout.ms", "6000")
                .start(inbox, (message, tx) -> {
                    InboxFixture.bill(message, tx);
                    if (death == Death.IN_HANDLER && left.decrementAndGet() == 0) {
                        Runtime.getRuntime().halt(DEATH);
                    }
                })) {
            // Until the parent closes our input.
            while (System.in.read() >= 0) {}
        }
    }

    private interface Answer {
        Object to(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                KilledInboxProgram.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method, arguments)));
    }

    private static Object call(Connection real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
