package dev.postroom.admin.redact;

import dev.postroom.PostroomException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which headers are hidden, by their names, whatever their case and whether parts are joined by {@code -} or {@code _}.
 * Immutable.
 */
public final class HeaderNames {
    private static final List<String> USUAL = List.of(
            // of the standards, and as frameworks name them
            "*authorization*",
            "*cookie*",
            "*bearer*",
            "*jwt*",
            "*token*",
            "*csrf*",
            "*xsrf*",
            "dpop",
            "auth",
            "*-auth",
            "x-auth-*",
            "*auth-key*",
            "*session-id*",
            "*sessionid*",
            "*session-key*",
            "sid",
            "*-sid",
            "*-otp",
            "*assertion*",
            // passwords and keys
            "*secret*",
            "*password*",
            "*passwd*",
            "*passphrase*",
            "*passcode*",
            "*pwd*",
            "*credential*",
            "*signature*",
            "*hmac*",
            "*api-key*",
            "*apikey*",
            "*access-key*",
            "*accesskey*",
            "*private-key*",
            "*privatekey*",
            "*account-key*",
            "*application-key*",
            "*app-key*",
            "*master-key*",
            "*shared-key*",
            "*signing-key*",
            "*license-key*",
            // of vendors: Azure's gateways and functions, keys of customers in object stores, identities behind load
            // balancers
            "*subscription-key*",
            "*functions-key*",
            "*customer-key*",
            "*encryption-key*",
            "*client-principal*",
            "x-amzn-oidc-*",
            "x-goog-iap-*");

    private static final Pattern STARS = Pattern.compile("\\*+");

    private final List<String> hidden;
    private final List<String> shown;

    private HeaderNames(List<String> hidden, List<String> shown) {
        this.hidden = hidden;
        this.shown = shown;
    }

    /** Names beside the usual ones; {@code *} stands for any characters, and {@code !name} is an exception. */
    public static HeaderNames usualAnd(List<String> names) {
        List<String> hidden = new ArrayList<>(USUAL);
        List<String> shown = new ArrayList<>();
        for (String name : names) {
            String pattern = normal(name.startsWith("!") ? name.substring(1) : name);
            if (pattern.isEmpty()) {
                throw new PostroomException("postroom.redact.headers must name headers such as x-customer or *-iban, or"
                        + " exceptions such as !page-token (was '" + name + "'): correct it");
            }
            (name.startsWith("!") ? shown : hidden).add(pattern);
        }
        return new HeaderNames(List.copyOf(hidden), List.copyOf(shown));
    }

    public boolean hide(String header) {
        String name = normal(header);
        return hidden.stream().anyMatch(pattern -> matches(pattern, name))
                && shown.stream().noneMatch(pattern -> matches(pattern, name));
    }

    /**
     * A regular expression that is found in every text in which a name is that is hidden. It may be found in others too: exceptions do not
     * count.
     */
    String expression() {
        return hidden.stream().map(HeaderNames::expression).distinct().collect(Collectors.joining("|"));
    }

    /** Of a pattern its longest part alone, which may begin or end as the name does. */
    private static String expression(String pattern) {
        String part = STARS.splitAsStream(pattern)
                .max(Comparator.comparingInt(String::length))
                .orElse("");
        boolean begins = !part.isEmpty() && pattern.startsWith(part);
        boolean ends = !part.isEmpty() && pattern.endsWith(part);
        boolean twice = begins && ends && !pattern.equals(part);
        return (begins && !twice ? "(^|[^a-zA-Z])" : "") + inAnyCase(part) + (ends && !twice ? "($|[^a-zA-Z])" : "");
    }

    /** By naming both, since what a database takes for the same letter depends on its language. */
    static String inAnyCase(String word) {
        return word.isEmpty()
                ? "."
                : word.codePoints().mapToObj(HeaderNames::inAnyCase).collect(Collectors.joining());
    }

    private static String inAnyCase(int c) {
        if (c >= 'a' && c <= 'z') {
            return "[" + (char) c + Character.toUpperCase((char) c) + "]";
        }
        return c == '-' ? "[-_]" : c >= '0' && c <= '9' ? Character.toString(c) : ".";
    }

    private static String normal(String name) {
        return name.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** In one pass that goes back to the last star only: names are strangers' and may be long. */
    private static boolean matches(String pattern, String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int afterStar = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                afterStar = n;
            } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++afterStar;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
