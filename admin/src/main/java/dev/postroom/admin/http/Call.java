package dev.postroom.admin.http;

import dev.postroom.admin.Visitor;
import dev.postroom.operations.Operations;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

/** One request of somebody who may make it: its parts, read and checked. Not thread-safe. */
public final class Call {
    private final ServerRequest request;
    private final Visitor visitor;
    private final Function<Visitor, Operations> operations;
    private @Nullable Body body;

    Call(ServerRequest request, Visitor visitor, Function<Visitor, Operations> operations) {
        this.request = request;
        this.visitor = visitor;
        this.operations = operations;
    }

    public Visitor visitor() {
        return visitor;
    }

    public ServerRequest request() {
        return request;
    }

    /** In the visitor's name, and no further than they see. */
    public Operations operations() {
        return operations.apply(visitor);
    }

    public String variable(String name) {
        return request.pathVariable(name);
    }

    public UUID id() {
        return uuid(variable("id"));
    }

    public static UUID uuid(String text) {
        try {
            UUID id = UUID.fromString(text);
            // Java takes shortened forms for ids as well, and would look for another message.
            if (!id.toString().equalsIgnoreCase(text)) {
                throw new IllegalArgumentException("not in full");
            }
            return id;
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest("'" + shortened(text) + "' is no message id: it looks like"
                    + " 0195f2c4-1b2c-7def-8a90-0123456789ab");
        }
    }

    private static String shortened(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    /** A parameter of the query; empty when it is not there or has no value. */
    public Optional<String> parameter(String name) {
        return request.param(name).filter(value -> !value.isEmpty());
    }

    /** A parameter, read in some way. What cannot be read is refused, naming it. */
    public <T> @Nullable T parameter(String name, Function<String, T> read, String expected) {
        return parameter(name)
                .map(text -> Values.read(name, text, read, expected))
                .orElse(null);
    }

    public int number(String name, int otherwise) {
        Integer number = parameter(name, Integer::valueOf, "a whole number");
        return number == null ? otherwise : number;
    }

    public boolean flag(String name, boolean otherwise) {
        Boolean flag = parameter(name, Values::flag, "true or false");
        return flag == null ? otherwise : flag;
    }

    /** What was posted. */
    public Body body() {
        if (body == null) {
            body = Body.read(request.servletRequest());
        }
        return body;
    }
}
