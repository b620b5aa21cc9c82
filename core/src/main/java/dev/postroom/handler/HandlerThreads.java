package dev.postroom.handler;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A bounded number of threads: virtual ones where the JVM has them (21 and newer), which this class looks up. */
final class HandlerThreads {
    private static final String NAME = "postroom-handler-";

    private HandlerThreads() {}

    /** Its queue is bounded by what the relay lets in flight. */
    static ThreadPoolExecutor start(int threads) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private static ThreadFactory factory() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            type.getMethod("name", String.class, long.class).invoke(builder, NAME, 0L);
            return (ThreadFactory) type.getMethod("factory").invoke(builder);
        } catch (ReflectiveOperationException e) {
            return work -> {
                Thread thread = new Thread(work, NAME + "platform");
                thread.setDaemon(true);
                return thread;
            };
        }
    }
}
