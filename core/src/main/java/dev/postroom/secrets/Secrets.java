package dev.postroom.secrets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Values that must not leave this process: passwords, tokens, keys. {@link #hide} takes them out of any text, however they are
 * written there: as they are, percent-encoded, or escaped as in JSON. Immutable, thread-safe.
 *
 * <p>Values of fewer than four characters are not looked for, since they are in every text; they are left out where a URL is
 * shown, by its structure ({@link GuardedUrl}). A short value of letters alone is hidden only where it is a word of its own:
 * with the password {@code root}, a text about routers and chroot stays as it is.
 */
public final class Secrets {
    public static final Secrets NONE = new Secrets(List.of());

    /** Stands where a secret was. */
    public static final String HIDDEN = "***";

    private static final int SHORTEST = 4;
    private static final int SHORTEST_LINE = 8;

    /** In the names of properties and parameters, of which only letters and digits count. */
    private static final List<String> SECRET_NAMES = List.of(
            "password",
            "passwd",
            "passphrase",
            "pwd",
            "secret",
            "token",
            "credential",
            "jaas",
            "apikey",
            "accesskey",
            "privatekey",
            "keystorekey",
            "sharedkey",
            "signature",
            "assertion",
            "userinfo");

    private static final Set<String> WHOLE_SECRET_NAMES = Set.of("pass", "key", "sig", "auth", "code");

    private final List<Spelling> spellings;

    private Secrets(List<Spelling> spellings) {
        this.spellings = spellings;
    }

    /** Each value as it is and, where it is percent-encoded, decoded; of one with several lines also each line. */
    public static Secrets of(Collection<String> values) {
        Set<String> all = new LinkedHashSet<>();
        for (String value : values) {
            all.add(value);
            all.add(PercentCode.decode(value));
            value.lines()
                    .map(String::strip)
                    .filter(line -> line.length() >= SHORTEST_LINE)
                    .forEach(all::add);
        }
        return new Secrets(all.stream()
                .filter(value -> value.codePointCount(0, value.length()) >= SHORTEST && !value.isBlank())
                // The longest first: a secret may contain another.
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Spelling::new)
                .toList());
    }

    public static Secrets of(String... values) {
        return of(Arrays.asList(values));
    }

    /** These and those. */
    public Secrets and(Secrets more) {
        if (more.spellings.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>();
        spellings.forEach(spelling -> all.add(spelling.value()));
        more.spellings.forEach(spelling -> all.add(spelling.value()));
        return of(all);
    }

    /**
     * Without those that are words of a text that everybody may see: a user's name, a host, the name of a setting. Where such
     * a word stands in a text it tells nothing, while hiding it there would tell that it is the password.
     */
    public Secrets exceptWordsOf(String publicText) {
        return new Secrets(spellings.stream()
                .filter(spelling -> !spelling.isWordOf(publicText))
                .toList());
    }

    /** The text with {@link #HIDDEN} in place of each of them. */
    public String hide(String text) {
        if (spellings.isEmpty()) {
            return text;
        }
        StringBuilder hidden = null;
        int kept = 0;
        int at = 0;
        while (at < text.length()) {
            int end = endOfSecret(text, at);
            if (end < 0) {
                at++;
                continue;
            }
            hidden = hidden == null ? new StringBuilder() : hidden;
            hidden.append(text, kept, at).append(HIDDEN);
            kept = end;
            at = end;
        }
        return hidden == null ? text : hidden.append(text, kept, text.length()).toString();
    }

    private int endOfSecret(String text, int at) {
        for (Spelling spelling : spellings) {
            int end = spelling.end(text, at);
            if (end >= 0) {
                return end;
            }
        }
        return -1;
    }

    /** Whether a property or parameter of this name holds a secret. */
    public static boolean areIn(String name) {
        // Whatever a driver leaves out of a name when it reads it: H2 reads PASS\\WORD as PASSWORD.
        String plain = PercentCode.decode(name).toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
        return WHOLE_SECRET_NAMES.contains(plain) || SECRET_NAMES.stream().anyMatch(plain::contains);
    }

    /** Says how many there are, and none of them. */
    @Override
    public String toString() {
        return "Secrets[" + spellings.size() + "]";
    }
}
