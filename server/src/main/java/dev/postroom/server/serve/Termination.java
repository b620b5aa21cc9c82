package dev.postroom.server.serve;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the process is asked to end (SIGTERM, Ctrl-C). With a shutdown hook the process could not choose its exit
 * code, and an embedded database would be closed at the same time as the relay; so the signals themselves are caught, which
 * Java offers outside of its standard, and is looked up here. A second signal ends the process at once.
 */
public final class Termination {
    private final CountDownLatch asked = new CountDownLatch(1);

    private Termination() {}

    /** From here on a signal is a request. */
    public static Termination listen() {
        Termination termination = new Termination();
        termination.catchSignal("TERM");
        termination.catchSignal("INT");
        return termination;
    }

    private void catchSignal(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler answer = (proxy, method, args) -> {
                if (method.getName().equals("handle")) {
                    request();
                    return null;
                }
                return method.getName().equals("hashCode") ? (Object) System.identityHashCode(proxy) : null;
            };
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, answer);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // Without it the process ends at once: what is under way is left to its lease.
        }
    }

    /** Asks to end, as a signal does. */
    public void request() {
        if (asked.getCount() == 0) {
            Runtime.getRuntime().halt(130);
        }
        asked.countDown();
    }

    public boolean isRequested() {
        return asked.getCount() == 0;
    }

    /** Whether it was asked for within this time. */
    public boolean isRequestedWithin(Duration time) throws InterruptedException {
        return asked.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns when it is asked for. */
    public void await() throws InterruptedException {
        asked.await();
    }
}
