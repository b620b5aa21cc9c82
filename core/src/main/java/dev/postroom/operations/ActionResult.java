package dev.postroom.operations;

import java.util.Locale;

/**
 * What became of an action.
 *
 * @param matched how many messages it fits; at least so many when it is not exact
 * @param matchedIsExact whether these are all; counting ends at {@value Bulk#MOST}
 * @param changed how many were changed: none by a dry run, no more than the limit otherwise
 * @param leftAlone how many a replay looked at and did not send, because they are not delivered yet: after an earlier replay, mostly
 */
public record ActionResult(long matched, boolean matchedIsExact, long changed, long leftAlone) {

    /** Of those that were counted no further than {@value Bulk#MOST}. */
    public ActionResult(long matched, long changed) {
        this(matched, matched < Bulk.MOST, changed, 0);
    }

    /** {@code 16}, or {@code at least 100,000}. */
    public String matchedInWords() {
        return inWords(matched, matchedIsExact);
    }

    /** {@code 16}, or {@code at least 100,000}. */
    public static String inWords(long count, boolean exact) {
        return exact ? Long.toString(count) : "at least " + String.format(Locale.ROOT, "%,d", count);
    }

    /** What two of them did together. */
    public ActionResult and(ActionResult other) {
        return new ActionResult(
                matched + other.matched,
                matchedIsExact && other.matchedIsExact,
                changed + other.changed,
                leftAlone + other.leftAlone);
    }
}
