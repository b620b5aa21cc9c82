package dev.postroom.testbed;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JDBC URL of a server that somebody else runs, such as
 * {@code jdbc:postgresql://db:5432/postgres?user=u&password=p}.
 */
record GivenUrl(String server, String database, String parameters, String username, String password) {

    /** From the environment variable, else the one of this test run; null when there is neither. */
    static @Nullable GivenUrl from(String variable, String shared) {
        String value = isSet(variable) ? System.getenv(variable).strip() : SharedServers.address(shared);
        return value == null ? null : parse(variable, value);
    }

    /** Whether somebody has given a server of their own, which outlives the tests. */
    static boolean isSet(String variable) {
        String given = System.getenv(variable);
        return given != null && !given.isBlank();
    }

    static GivenUrl parse(String variable, String url) {
        int question = url.indexOf('?');
        String address = question < 0 ? url : url.substring(0, question);
        int slash = address.lastIndexOf('/');
        if (!address.startsWith("jdbc:") || slash < 0 || slash < address.indexOf("//") + 2) {
            throw new TestbedException(
                    variable + " must be like jdbc:…://host:port/database?user=…&password=… (was " + address + ")",
                    null);
        }
        String username = "";
        String password = "";
        List<String> others = new ArrayList<>();
        for (String parameter :
                question < 0 ? new String[0] : url.substring(question + 1).split("&", -1)) {
            if (parameter.startsWith("user=")) {
                username = decode(parameter);
            } else if (parameter.startsWith("password=")) {
                password = decode(parameter);
            } else if (!parameter.isEmpty()) {
                others.add(parameter);
            }
        }
        String parameters = others.isEmpty() ? "" : "?" + String.join("&", others);
        return new GivenUrl(
                address.substring(0, slash + 1), address.substring(slash + 1), parameters, username, password);
    }

    /** The URL of another database on the same server. */
    String withDatabase(String name) {
        return server + name + parameters;
    }

    String url() {
        return withDatabase(database);
    }

    private static String decode(String parameter) {
        return URLDecoder.decode(parameter.substring(parameter.indexOf('=') + 1), StandardCharsets.UTF_8);
    }
}
