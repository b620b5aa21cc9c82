package dev.postroom.operations;

import org.jspecify.annotations.Nullable;

/**
 * Which error texts are searched for somebody: a receiver's error may quote what is hidden from them, and a search that finds it tells
 * as much as showing it, letter by letter. So a text is searched as it is stored, or not at all.
 *
 * @param any whether there are any
 * @param unless a regular expression: where it is found in the error or in the message's headers as they are stored, that error is not
 *     searched. Of letters, digits, {@code ( ) [ ] ^ $ | .} and an escaped backslash, which all databases read alike; null for none
 */
public record ErrorSearch(boolean any, @Nullable String unless) {
    public static final ErrorSearch ALL = new ErrorSearch(true, null);
    public static final ErrorSearch NONE = new ErrorSearch(false, null);

    public static ErrorSearch unless(String expression) {
        return new ErrorSearch(true, expression);
    }
}
