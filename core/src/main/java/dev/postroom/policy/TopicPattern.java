package dev.postroom.policy;

import dev.postroom.PostroomException;
import java.util.regex.Pattern;

/**
 * Which topics a route is for: {@code *} is one dot-separated word, {@code **} any number of them; everything else means
 * itself.
 */
public record TopicPattern(String glob) {
    public TopicPattern {
        if (glob.isBlank()) {
            throw new PostroomException("a route needs a topic (was '" + glob + "'): write ** for every topic");
        }
    }

    /** A test for topics. */
    public java.util.function.Predicate<String> matcher() {
        if (glob.equals("**")) {
            return topic -> true;
        }
        if (glob.indexOf('*') < 0) {
            return glob::equals;
        }
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            if (glob.charAt(i) != '*') {
                regex.append(Pattern.quote(glob.substring(i, i + 1)));
            } else if (i + 1 < glob.length() && glob.charAt(i + 1) == '*') {
                regex.append(".*");
                i++;
            } else {
                regex.append("[^.]*");
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL).asMatchPredicate();
    }
}
