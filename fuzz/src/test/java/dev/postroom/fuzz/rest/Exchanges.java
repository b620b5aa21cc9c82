package dev.postroom.fuzz.rest;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sends requests, again when the machine or the connection is to blame, and knows how long they took. */
final class Exchanges {
    /** What is only slow because the machine paused is fast one of these times. */
    private static final int TRIES = 5;

    private static final long LONGEST_NANOS = 2_000_000_000L;
    /** A password takes as long to check as all else. */
    private static final int ONE_BY_PASSWORD = 8;

    private static final int UNAUTHORIZED = 401;

    private final RestWorld world;
    private final WireClient client;
    private final Map<Person, String> sessions = new EnumMap<>(Person.class);

    Exchanges(RestWorld world) {
        this.world = world;
        this.client = new WireClient(world.port);
    }

    /** The answer; null where the server did not want to read the body, and closed the connection over it. */
    @Nullable
    HttpAnswer send(Person person, RequestText request) throws IOException {
        boolean bySession =
                !request.target().contains("sign-") && request.everything().hashCode() % ONE_BY_PASSWORD != 0;
        byte[] bytes = request.bytes(bySession ? session(person) : world.credentials(person));
        List<String> troubles = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
            try {
                HttpAnswer answer = client.send(bytes, !request.method().equals("HEAD"));
                if (answer.status() == UNAUTHORIZED) {
                    sessions.remove(person); // it may have been ended; who is nobody has none
                }
                if (answer.nanos() <= LONGEST_NANOS) {
                    return answer;
                }
                troubles.add(answer.status() + " after " + answer.nanos() / 1_000_000 + " ms");
            } catch (SocketTimeoutException e) {
                troubles.add("no answer in time");
            } catch (EOFException | SocketException e) {
                troubles.add(e.toString());
                if (!request.body().isEmpty() && i == TRIES - 1) {
                    return null;
                }
            }
        }
        throw new AssertionError("slow or unanswered each time as " + person.label() + ": " + troubles);
    }

    /** The cookie of somebody who signed in, as the page does. */
    private List<String> session(Person person) throws IOException {
        if (person == Person.NOBODY) {
            return List.of();
        }
        String known = sessions.get(person);
        if (known == null) {
            HttpAnswer answer = client.send(world.signIn(person).bytes(List.of()), true);
            known = answer.header("set-cookie").split(";", 2)[0];
            if (known.isEmpty()) {
                return world.credentials(person); // too many tries with this name, made up by earlier inputs
            }
            sessions.put(person, known);
        }
        return List.of("Cookie: " + known);
    }
}
