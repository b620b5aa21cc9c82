package dev.postroom.fuzz.rest;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What no answer may be. */
final class AnswerChecks {
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    private static final List<String> INSIDES =
            List.of("\tat ", "Caused by:", "java.lang.", "java.util.", "org.springframework.", "org.h2.");

    private final RestWorld world;
    /** What everybody may ask, as openapi.json says, and whether it lives. */
    private final Set<String> open;

    AnswerChecks(RestWorld world, Set<String> open) {
        this.world = world;
        this.open = open;
    }

    void check(Person person, RequestText request, HttpAnswer answer) {
        String text = answer.text();
        if (answer.status() >= FIRST_SERVER_ERROR && !isBadHealth(request, answer)) {
            throw failed(person, "got " + answer.status(), answer);
        }
        for (String inside : INSIDES) {
            if (text.contains(inside) && !request.everything().contains(inside)) {
                throw failed(person, "sees our insides (" + inside.strip() + ")", answer);
            }
        }
        for (String secret : world.secrets()) {
            if (text.contains(secret) && !request.everything().contains(secret)) {
                throw failed(person, "sees a password", answer);
            }
        }
        if (person == Person.NOBODY) {
            checkNobody(request, answer);
            checkNothingOf(world.acme, person, request, answer);
        }
        if (person == Person.NOBODY || person == Person.TENANT_OPERATOR) {
            checkNothingOf(world.globex, person, request, answer);
        }
        if (person != Person.TENANT_OPERATOR && text.contains(world.acme.redacted())) {
            throw failed(person, "sees what is redacted, without the permission to reveal it", answer);
        }
    }

    /** No relay runs here, so that messages become old, and this is how health has to say so. */
    private static boolean isBadHealth(RequestText request, HttpAnswer answer) {
        return answer.status() == UNAVAILABLE
                && request.plainPath().startsWith("/actuator/health")
                && (request.method().equals("HEAD") || answer.text().contains("\"status\":\"DOWN\""));
    }

    private void checkNobody(RequestText request, HttpAnswer answer) {
        if (answer.isSuccess() && answer.isData() && answer.body().length > 0 && !isOpen(request.plainPath())) {
            throw failed(Person.NOBODY, "got data that needs a sign-in, at " + request.plainPath(), answer);
        }
    }

    private boolean isOpen(String path) {
        return open.contains(path) || path.equals("/actuator/health") || path.startsWith("/actuator/health/");
    }

    private static void checkNothingOf(Messages messages, Person person, RequestText request, HttpAnswer answer) {
        // Jazzer sees what texts are compared with, and may have put it in.
        if (answer.text().contains(messages.marker()) && !request.everything().contains(messages.marker())) {
            throw failed(person, "sees what is " + messages.tenant() + "'s", answer);
        }
        for (UUID id : messages.ids()) {
            if (answer.text().contains(id.toString()) && !request.everything().contains(id.toString())) {
                throw failed(person, "sees an id of " + messages.tenant() + "'s", answer);
            }
        }
    }

    private static AssertionError failed(Person person, String what, HttpAnswer answer) {
        String text = answer.text();
        return new AssertionError(person.label() + " " + what + ": " + answer.status() + " " + answer.headers() + " "
                + (text.length() <= 2_000 ? text : text.substring(0, 2_000) + "…"));
    }
}
