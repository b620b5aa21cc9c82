package dev.postroom.admin.redact;

import dev.postroom.PostroomException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which headers are hidden, by their names, whatever their case and whether parts are joined by {@code -} or {@code _}.
 * Immutable.
 */
public final class HeaderNames {
    private static final List<String> USUAL = List.of(
            "authorization",
            "*-authorization",
            "cookie",
            "set-cookie",
            "*api-key*",
            "*apikey*",
            "*token*",
            "*secret*",
            "*password*",
            "*passwd*",
            "*credential*",
            "*signature*",
            "*private-key*");

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
