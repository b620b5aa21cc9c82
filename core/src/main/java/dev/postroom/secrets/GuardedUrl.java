package dev.postroom.secrets;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A URL taken apart into what may be shown and what may not: of a database, a broker or a receiver. Made for URLs that are
 * wrong, too: where a password that was not encoded makes several readings possible, all of it that could be the password
 * is hidden. Immutable.
 */
public final class GuardedUrl {
    private static final String AUTHORITY = "://";
    private static final int SHORTEST_PART = 4;

    private static final int SHORTEST_TOKEN = 8;
    private static final int LONGEST_NAME = 16;
    private static final int MOST_PARTS = 24;

    private final StringBuilder shown = new StringBuilder();
    private final List<String> secrets = new ArrayList<>();
    private boolean credentials;

    private GuardedUrl() {}

    public static GuardedUrl of(String url) {
        GuardedUrl guarded = new GuardedUrl();
        int authority = url.indexOf(AUTHORITY);
        if (authority < 0 || firstOf(url, "?;/") < authority) {
            guarded.parameters(url);
            return guarded;
        }
        int begin = authority + AUTHORITY.length();
        String scheme = url.substring(0, authority).toLowerCase(Locale.ROOT);
        guarded.shown.append(url, 0, begin);
        guarded.rest(url.substring(begin), scheme.equals("http") || scheme.equals("https"));
        return guarded;
    }

    /** The URL without its secrets; of a web address only the host, since paths often carry a token. */
    public String shown() {
        return shown.toString();
    }

    /** What is hidden, unless it is shown in another place: a password may be the user's name. */
    public Secrets secrets() {
        return Secrets.of(secrets).exceptWordsOf(shown());
    }

    /** Whether there is a user or a password before the host. */
    public boolean hasCredentials() {
        return credentials;
    }

    private void rest(String rest, boolean web) {
        int at = endOfCredentials(rest);
        if (at >= 0) {
            credentials = true;
            credentials(rest.substring(0, at), web);
        }
        String place = rest.substring(at + 1);
        int end = firstOf(place, "/?#;");
        hosts(place.substring(0, end));
        if (web) {
            tokens(place.substring(end));
        } else {
            parameters(place.substring(end));
        }
    }

    /**
     * The last {@code @} that can end them. A password that was not encoded may contain slashes, question marks and further
     * {@code @}; on the other hand a parameter may have one, when what comes before it is a host with its port.
     */
    private static int endOfCredentials(String rest) {
        int last = rest.lastIndexOf('@');
        int end = firstOf(rest, "/?#;");
        if (last < end) {
            return last;
        }
        int query = firstOf(rest, "?;");
        boolean hostBefore = areHosts(rest.substring(0, end));
        if (!hostBefore) {
            return last;
        }
        int inPath = rest.substring(0, query).lastIndexOf('@');
        boolean parameter = query < last && rest.substring(query, last).indexOf('=') > 0;
        return parameter ? inPath : last;
    }

    private void credentials(String userAndPassword, boolean web) {
        int colon = userAndPassword.indexOf(':');
        if (web) {
            keep(userAndPassword);
        } else {
            shown.append(colon < 0 ? userAndPassword : userAndPassword.substring(0, colon + 1));
        }
        if (colon >= 0) {
            keep(userAndPassword.substring(colon + 1));
        }
        shown.append(colon < 0 && !web ? "@" : Secrets.HIDDEN + "@");
    }

    /** What should be a port and is none is most likely the beginning of a password. */
    private void hosts(String hosts) {
        if (areHosts(hosts)) {
            shown.append(hosts);
            return;
        }
        int colon = hosts.indexOf(':');
        shown.append(hosts, 0, Math.max(colon, 0)).append(colon < 0 ? "" : ":").append(Secrets.HIDDEN);
        keep(hosts.substring(colon + 1));
    }

    /** {@code a:1,b:2} or {@code [::1]:5432} or MariaDB's {@code address=(host=a)(port=1)}. */
    private static boolean areHosts(String hosts) {
        for (String host : hosts.split(",", -1)) {
            String named = host.startsWith("[") ? host.substring(host.indexOf(']') + 1) : host;
            int colon = named.indexOf(':');
            boolean numbered = colon < 0 || named.substring(colon + 1).chars().allMatch(Character::isDigit);
            if (!numbered || named.chars().anyMatch(c -> Character.isWhitespace(c) || c == '"' || c == '%')) {
                return false;
            }
        }
        return true;
    }

    /** A path and its parameters; nothing is shown from the first secret on, since it may go on beyond the next sign. */
    private void parameters(String text) {
        int begin = firstOf(text, "?;");
        shown.append(text, 0, begin);
        if (begin == text.length()) {
            return;
        }
        String separator = text.charAt(begin) == '?' ? "&" : ";";
        int at = begin;
        while (at < text.length()) {
            int next = text.indexOf(separator, at + 1);
            String parameter = text.substring(at + 1, next < 0 ? text.length() : next);
            int equals = parameter.indexOf('=');
            if (equals > 0 && Secrets.areIn(parameter.substring(0, equals))) {
                shown.append(text, at, at + 1 + equals + 1).append(Secrets.HIDDEN);
                keep(parameter.substring(equals + 1));
                following(text.substring(at + 1 + equals + 1), separator);
                return;
            }
            shown.append(text, at, at + 1).append(parameter);
            at = next < 0 ? text.length() : next;
        }
    }

    /** What follows are other parameters or, if it was not encoded, the rest of the secret. */
    private void following(String text, String separator) {
        secrets.add(text);
        for (String part : text.split(separator, -1)) {
            if (part.length() >= SHORTEST_PART) {
                secrets.add(part);
            }
        }
    }

    /** Whatever of a web address could be a token: all of it, the values of parameters, and what is no plain word. */
    private void tokens(String pathAndQuery) {
        if (pathAndQuery.length() > SHORTEST_TOKEN) {
            secrets.add(pathAndQuery);
        }
        int query = firstOf(pathAndQuery, "?#");
        for (String segment : pathAndQuery.substring(0, query).split("/", -1)) {
            if (isToken(segment)) {
                secrets.add(segment);
            }
        }
        for (String parameter : pathAndQuery.substring(query).split("[?&#]", -1)) {
            String value = parameter.substring(parameter.indexOf('=') + 1);
            if (isToken(value) || Secrets.areIn(parameter.substring(0, Math.max(0, parameter.indexOf('='))))) {
                secrets.add(value);
            }
        }
    }

    private static boolean isToken(String text) {
        boolean plain = text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.');
        return text.length() >= SHORTEST_TOKEN && (!plain || text.length() > LONGEST_NAME);
    }

    /**
     * A secret and, because whoever reads the URL may cut it elsewhere, each run of its parts between the signs that URLs
     * are cut at.
     */
    private void keep(String secret) {
        secrets.add(secret);
        List<Integer> cuts = new ArrayList<>(List.of(-1));
        for (int i = 0; i < secret.length() && cuts.size() < MOST_PARTS; i++) {
            if ("@:/?#&;=, \\".indexOf(secret.charAt(i)) >= 0) {
                cuts.add(i);
            }
        }
        cuts.add(secret.length());
        for (int from = 0; from < cuts.size(); from++) {
            for (int to = from + 1; to < cuts.size(); to++) {
                if (cuts.get(to) - cuts.get(from) > SHORTEST_PART) {
                    secrets.add(secret.substring(cuts.get(from) + 1, cuts.get(to)));
                }
            }
        }
    }

    private static int firstOf(String text, String signs) {
        for (int i = 0; i < text.length(); i++) {
            if (signs.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    @Override
    public String toString() {
        return shown();
    }
}
