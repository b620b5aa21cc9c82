package dev.postroom.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;

/**
 * Something that can be handed out before it is there: it is asked for with each call, and what it gives out itself is handed
 * out in the same way. For an outbox whose database does not answer while the application starts.
 */
final class OnDemand {
    private static final String OURS = "dev.postroom.";

    private OnDemand() {}

    static <T> T of(Class<T> type, Supplier<? extends T> source) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return ofObject(type, proxy, method, arguments);
                    }
                    Class<?> result = method.getReturnType();
                    return result.isInterface() && result.getName().startsWith(OURS)
                            ? later(result, () -> call(source.get(), method, arguments))
                            : call(source.get(), method, arguments);
                }));
    }

    private static <R> R later(Class<R> type, Supplier<?> source) {
        return of(type, () -> type.cast(source.get()));
    }

    private static Object ofObject(Class<?> type, Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> type.getSimpleName() + " on demand";
        };
    }

    private static Object call(Object target, Method method, Object[] arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            return OnDemand.<RuntimeException>thrown(e.getTargetException());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As it was thrown, also a checked one that the method declares. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller does not see that it is checked
    private static <E extends Throwable> Object thrown(Throwable error) throws E {
        throw (E) error;
    }
}
