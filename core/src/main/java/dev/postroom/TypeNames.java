package dev.postroom;

import dev.postroom.spi.PayloadCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which logical name a class has, as it is stored and sent, and which class belongs to a name: what was registered here, or
 * else what {@link MessageType} on the class says. A name that comes with a message is only ever looked up among those that
 * were registered; it never loads a class. Immutable: each method returns changed names. Thread-safe.
 *
 * <pre>{@code
 * TypeNames types = TypeNames.annotated().register(OrderCreated.class, "order.created");
 * Outbox.configure(dataSource).types(types).build();
 * }</pre>
 */
public final class TypeNames {
    private static final TypeNames ANNOTATED = new TypeNames(Map.of(), Map.of());

    private final Map<Class<?>, List<String>> names;
    private final Map<String, Class<?>> classes;

    private TypeNames(Map<Class<?>, List<String>> names, Map<String, Class<?>> classes) {
        this.names = names;
        this.classes = classes;
    }

    /** Only what annotations say. */
    public static TypeNames annotated() {
        return ANNOTATED;
    }

    /** With a class whose name its {@link MessageType} says, so that it is found by that name. */
    public TypeNames register(Class<?> type) {
        return with(type, namesOf(type));
    }

    /**
     * With this name for a class, whatever its annotation says.
     *
     * @param formerly names that it had before: messages that were stored with them are still understood
     */
    public TypeNames register(Class<?> type, String name, String... formerly) {
        return with(type, listed(name, formerly));
    }

    private TypeNames with(Class<?> type, List<String> all) {
        Map<String, Class<?>> moreClasses = new HashMap<>(classes);
        for (String name : all) {
            check(type, name);
            Class<?> other = moreClasses.put(name, type);
            if (other != null && other != type) {
                throw new PostroomException("the name '" + name + "' is registered for " + other.getName()
                        + ", and now for " + type.getName() + ": give each class a name of its own");
            }
        }
        Map<Class<?>, List<String>> moreNames = new HashMap<>(names);
        if (moreNames.putIfAbsent(type, all) != null) {
            throw new PostroomException(
                    type.getName() + " is registered twice: name it once, with former names behind");
        }
        return new TypeNames(Map.copyOf(moreNames), Map.copyOf(moreClasses));
    }

    private static void check(Class<?> type, String name) {
        if (name.isBlank()) {
            throw new PostroomException(
                    "the name of " + type.getName() + " is empty: give one that stays, such as order.created");
        }
        if (name.equals(type.getName())) {
            throw new PostroomException("the name of " + name + " is that of the class, which would tie stored messages"
                    + " to it: give one that stays, such as order.created");
        }
    }

    private static List<String> listed(String name, String... formerly) {
        List<String> all = new ArrayList<>();
        all.add(Objects.requireNonNull(name, "name"));
        all.addAll(List.of(formerly));
        return List.copyOf(all);
    }

    /** What messages with such an object are stored and sent with; null when nobody has named the class. */
    public @Nullable String nameOf(Class<?> type) {
        List<String> all = find(type);
        return all == null ? null : all.get(0);
    }

    /**
     * The name of the class, and those that it had before.
     *
     * @throws PostroomException when nobody has named it
     */
    public List<String> namesOf(Class<?> type) {
        List<String> all = find(type);
        if (all == null) {
            throw new PostroomException("nobody has said what messages with a " + type.getName()
                    + " are called: annotate it with @MessageType, or register it with TypeNames");
        }
        return all;
    }

    private @Nullable List<String> find(Class<?> type) {
        List<String> registered = names.get(type);
        if (registered != null) {
            return registered;
        }
        MessageType annotation = type.getDeclaredAnnotation(MessageType.class);
        if (annotation == null) {
            return null;
        }
        List<String> annotated = listed(annotation.value(), annotation.formerly());
        annotated.forEach(name -> check(type, name));
        return annotated;
    }

    /**
     * The class that was registered with this name, or had it before.
     *
     * @throws PostroomException when there is none
     */
    public Class<?> classOf(String name) {
        Class<?> type = classes.get(name);
        if (type == null) {
            throw new PostroomException("no class is registered for messages of type '" + name + "' (there are: "
                    + String.join(", ", new TreeSet<>(classes.keySet())) + "): register one with TypeNames");
        }
        return type;
    }

    /** The payload of a message of this type, as the class that was registered with it. */
    public Object decode(String type, byte[] payload, PayloadCodec codec) {
        return codec.decode(payload, classOf(type));
    }
}
