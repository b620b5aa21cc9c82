package dev.postroom.admin.redact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Credentials in a text, by what stands before them: {@code Bearer …}, or a header's name that is hidden. Pure. */
public final class CredentialText {
    private static final Pattern SCHEME =
            Pattern.compile("(?i)\\b(bearer|basic|digest)\\s{1,8}[A-Za-z0-9._~+/=-]{6,8000}");
    private static final Pattern NAMED =
            Pattern.compile("([A-Za-z][A-Za-z0-9_-]{2,60})(\"?\\s{0,8}[:=]\\s{0,8}\"?)([^\\s\"',;&]{3,8000})");

    private CredentialText() {}

    public static String hide(String text, HeaderNames headers) {
        String schemes = SCHEME.matcher(text).replaceAll("$1 " + HiddenValues.HIDDEN);
        Matcher named = NAMED.matcher(schemes);
        return named.replaceAll(found -> Matcher.quoteReplacement(
                headers.hide(found.group(1)) ? found.group(1) + found.group(2) + HiddenValues.HIDDEN : found.group()));
    }
}
