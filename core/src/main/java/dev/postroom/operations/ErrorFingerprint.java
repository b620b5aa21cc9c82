package dev.postroom.operations;

import java.util.regex.Pattern;

/** What errors of the same kind have in common: their text without what differs each time. Pure. */
public final class ErrorFingerprint {
    public static final int LONGEST = 200;

    /** More of a text is not looked at, so that a stack trace costs no more than its first lines. */
    private static final int LOOKED_AT = 1_000;

    private static final Pattern UUID = Pattern.compile("\\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b");
    /** An apostrophe inside a word (can't) opens no quotation. */
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|(?<!\\w)'[^']*'(?!\\w)|`[^`]*`|“[^”]*”|‘[^’]*’");
    /** With a digit in it: a word of eight letters a to f is rather a word. */
    private static final Pattern HEX = Pattern.compile("\\b(?:0[xX][0-9a-fA-F]+|(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,})\\b");

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.,:][0-9]+)*");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private ErrorFingerprint() {}

    public static String of(String error) {
        String text = error.length() <= LOOKED_AT ? error : error.substring(0, LOOKED_AT);
        text = UUID.matcher(text).replaceAll("<id>");
        text = QUOTED.matcher(text).replaceAll("<text>");
        text = HEX.matcher(text).replaceAll("<hex>");
        text = NUMBER.matcher(text).replaceAll("<n>");
        text = SPACE.matcher(text).replaceAll(" ").strip();
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
