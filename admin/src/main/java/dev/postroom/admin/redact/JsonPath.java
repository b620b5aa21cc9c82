package dev.postroom.admin.redact;

import dev.postroom.PostroomException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a value lies in a JSON document: {@code $.customer.email}, {@code $.items[*].card}, {@code $..iban}.
 *
 * <p>A document is walked once, with the set of steps that were taken so far as the bits of a number: however the document
 * is nested, every value costs the same.
 */
record JsonPath(List<Step> steps) {
    private static final int MOST_STEPS = 60;
    private static final Pattern STEP = Pattern.compile(
            "(\\.{0,2})(?:([\\p{L}\\p{N}_$-]+)|(\\*)|\\[(?:(\\*)|(\\d{1,9})" + "|'([^']+)'|\"([^\"]+)\")])");

    /**
     * One step down.
     *
     * @param deep any number of other steps may come before it
     * @param name a member, or null for any; {@code index} likewise
     */
    record Step(
            boolean deep, @Nullable String name, @Nullable Integer index) {
        boolean leadsTo(@Nullable String member, int element) {
            if (name != null) {
                return name.equals(member);
            }
            return index == null || (member == null && index == element);
        }
    }

    static JsonPath of(String text) {
        List<Step> steps = new ArrayList<>();
        Matcher step = STEP.matcher(text);
        int at = 1;
        boolean fits = text.startsWith("$");
        while (fits && at < text.length()) {
            fits = step.region(at, text.length()).lookingAt() && isWhole(step) && steps.size() < MOST_STEPS;
            if (fits) {
                steps.add(step(step));
                at = step.end();
            }
        }
        if (!fits || steps.isEmpty()) {
            throw new PostroomException("postroom.redact.json-paths must be like $.customer.email, $.items[*].card or"
                    + " $..iban (was '" + text + "'): correct it");
        }
        return new JsonPath(List.copyOf(steps));
    }

    /** A name needs one dot or two before it, a bracket none or two. */
    private static boolean isWhole(Matcher step) {
        int dots = step.group(1).length();
        boolean isBracket = step.group(2) == null && step.group(3) == null;
        return isBracket ? dots != 1 : dots >= 1;
    }

    private static Step step(Matcher step) {
        boolean deep = step.group(1).length() == 2;
        if (step.group(5) != null) {
            return new Step(deep, null, Integer.valueOf(step.group(5)));
        }
        for (int group : new int[] {2, 6, 7}) {
            if (step.group(group) != null) {
                return new Step(deep, step.group(group), null);
            }
        }
        return new Step(deep, null, null);
    }

    /** The steps taken at a member or an element of something at which these were taken; 1 is none yet. */
    long next(long taken, @Nullable String member, int element) {
        long next = 0;
        for (int i = 0; i < steps.size(); i++) {
            if ((taken >> i & 1) == 1) {
                Step step = steps.get(i);
                next |= step.deep() ? 1L << i : 0;
                next |= step.leadsTo(member, element) ? 1L << (i + 1) : 0;
            }
        }
        return next;
    }

    boolean isThere(long taken) {
        return (taken >> steps.size() & 1) == 1;
    }
}
