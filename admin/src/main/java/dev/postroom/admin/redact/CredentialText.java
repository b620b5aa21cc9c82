package dev.postroom.admin.redact;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Credentials in a text, by what stands before them ({@code Bearer …}, or a header's name that is hidden, however it is written there) or
 * by their own shape. For credentials that are not the message's own: those are known, and hidden wherever they stand. Pure.
 */
public final class CredentialText {
    private static final Pattern SCHEME = Pattern.compile(
            "(?i)\\b(bearer|basic|digest|negotiate|ntlm|hawk|apikey|aws4-hmac-sha256|token(?=\\s{1,8}\\S{0,60}[0-9]))"
                    + "(?:\\s|%20|\\+){1,8}[A-Za-z0-9._~+/=-]{6,8000}");
    /** JSON web tokens, and keys of well-known vendors, which begin so that they are found. */
    private static final Pattern SHAPE = Pattern.compile("eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_.-]{8,8000}"
            + "|\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b|\\bgh[pousr]_[A-Za-z0-9]{16,255}|\\bxox[a-z]-[A-Za-z0-9-]{8,255}"
            + "|\\b[rs]k_(?:live|test)_[A-Za-z0-9]{8,255}|\\bAIza[A-Za-z0-9_-]{30,60}"
            + "|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\\s\\S]{0,8000}");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{2,}+");

    /** What a text has in it that {@link #SCHEME} or {@link #SHAPE} finds something in; case does not matter. */
    private static final String[] BEGINNINGS = {
        "bearer",
        "basic",
        "digest",
        "negotiate",
        "ntlm",
        "hawk",
        "aws4",
        "eyj",
        "akia",
        "asia",
        "ghp",
        "gho",
        "ghu",
        "ghs",
        "ghr",
        "xox",
        "aiza",
        "private key"
    };

    private CredentialText() {}

    public static String hide(String text, HeaderNames headers) {
        return withoutNamed(without(SHAPE, without(SCHEME, text)), headers);
    }

    private static String without(Pattern credentials, String text) {
        return credentials.matcher(text).replaceAll(found -> {
            boolean hasScheme = found.groupCount() > 0 && found.group(1) != null;
            return Matcher.quoteReplacement((hasScheme ? found.group(1) + " " : "") + HiddenValues.HIDDEN);
        });
    }

    private static String withoutNamed(String text, HeaderNames headers) {
        StringBuilder shown = new StringBuilder();
        Matcher name = NAME.matcher(text);
        int copied = 0;
        int from = 0;
        while (from < text.length() && name.find(from)) {
            from = name.end();
            NamedValue value = NamedValue.behind(text, name.end());
            if (value == null || !headers.hide(name.group())) {
                continue;
            }
            int end = value.end(name.group());
            if (end > value.start() && !text.startsWith(HiddenValues.HIDDEN, value.start())) {
                shown.append(text, copied, value.start()).append(HiddenValues.HIDDEN);
                copied = end;
                from = end;
            }
        }
        return shown.append(text, copied, text.length()).toString();
    }

    /**
     * A regular expression that is found in every text, and in the JSON of all headers, in which something is hidden. It may be found in
     * others too.
     */
    public static String expression(HeaderNames headers) {
        StringBuilder any = new StringBuilder(headers.expression());
        for (String beginning : BEGINNINGS) {
            any.append('|').append(HeaderNames.inAnyCase(beginning));
        }
        return any.append("|[rRsS][kK]_").toString();
    }
}
