package dev.postroom.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The words of the seeds, for libFuzzer to put into inputs: bytes at random rarely spell the name of a parameter. */
final class Words {
    private static final Pattern WORD = Pattern.compile("\\{?[A-Za-z0-9_./:%$+-]{2,40}\\}?");

    private Words() {}

    /** In the form of a dictionary of libFuzzer, a line each. */
    static List<String> in(Collection<byte[]> seeds) {
        TreeSet<String> words = new TreeSet<>();
        for (byte[] seed : seeds) {
            WORD.matcher(new String(seed, StandardCharsets.ISO_8859_1))
                    .results()
                    .map(MatchResult::group)
                    .forEach(words::add);
        }
        return words.stream().map(word -> '"' + word + '"').toList();
    }
}
