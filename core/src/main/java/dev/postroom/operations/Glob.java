package dev.postroom.operations;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The topics of a route as a set, which can be compared with those of other routes: {@code *} is any part of a
 * dot-separated word, {@code **} is anything. Immutable.
 */
final class Glob {
    /** Every character that none of the globs names, as they are all alike. */
    private static final char ANOTHER = '\uFFFF';

    private static final int WORD = -1;
    private static final int ANYTHING = -2;

    /** Beyond that a comparison is not worth its time. */
    private static final int MOST_STATES = 1_000;

    private final String text;
    /** What every topic begins with. */
    private final String beginning;
    /** Characters, {@link #WORD} or {@link #ANYTHING}. */
    private final int[] parts;

    Glob(String text) {
        this.text = text;
        this.beginning = isTopic() ? text : text.substring(0, text.indexOf('*'));
        this.parts = text.replace("**", "\0")
                .chars()
                .map(c -> c == 0 ? ANYTHING : c == '*' ? WORD : c)
                .toArray();
    }

    String text() {
        return text;
    }

    boolean isTopic() {
        return text.indexOf('*') < 0;
    }

    boolean matches(String topic) {
        if (isTopic()) {
            return text.equals(topic);
        }
        BitSet places = start();
        for (int i = 0; i < topic.length() && !places.isEmpty(); i++) {
            places = after(places, topic.charAt(i));
        }
        return places.get(parts.length);
    }

    /**
     * Whether there is a topic that matches both of these and none of the others. Exact, but yes if it would take too long to
     * find out.
     */
    static boolean anyTopicOf(Glob one, Glob other, List<Glob> none) {
        if (!one.mayMeet(other)) {
            return false;
        }
        if (one.isTopic() || other.isTopic()) {
            String topic = one.isTopic() ? one.text : other.text;
            return one.matches(topic) && other.matches(topic) && none.stream().noneMatch(glob -> glob.matches(topic));
        }
        List<Glob> globs = new ArrayList<>(List.of(one, other));
        none.stream().filter(glob -> glob.mayMeet(one) && glob.mayMeet(other)).forEach(globs::add);
        Set<Character> letters = new TreeSet<>(Set.of('.'));
        globs.forEach(glob -> glob.text.chars().filter(c -> c != '*').forEach(c -> letters.add((char) c)));
        List<Character> alphabet = new ArrayList<>(List.of(ANOTHER)); // first: it leaves the others soonest
        alphabet.addAll(letters);
        return search(globs, alphabet);
    }

    /** Spares most comparisons, as most routes begin differently. */
    private boolean mayMeet(Glob other) {
        return beginning.startsWith(other.beginning) || other.beginning.startsWith(beginning);
    }

    /** Reads all topics at once, letter by letter, and keeps the places in all globs that each beginning leads to. */
    private static boolean search(List<Glob> globs, List<Character> alphabet) {
        Set<List<BitSet>> seen = new HashSet<>();
        Deque<List<BitSet>> open = new ArrayDeque<>();
        open.push(globs.stream().map(Glob::start).toList());
        while (!open.isEmpty()) {
            List<BitSet> places = open.pop();
            for (char letter : alphabet) {
                List<BitSet> next = new ArrayList<>();
                for (int i = 0; i < globs.size() && (i < 2 || isAlive(next)); i++) {
                    next.add(globs.get(i).after(places.get(i), letter));
                }
                if (!isAlive(next)) {
                    continue;
                }
                if (isFound(globs, next) || seen.size() >= MOST_STATES) {
                    return true;
                }
                if (seen.add(next)) {
                    open.push(next);
                }
            }
        }
        return false;
    }

    private static boolean isAlive(List<BitSet> places) {
        return !places.get(0).isEmpty() && !places.get(1).isEmpty();
    }

    private static boolean isFound(List<Glob> globs, List<BitSet> places) {
        for (int i = 0; i < globs.size(); i++) {
            if (places.get(i).get(globs.get(i).parts.length) != i < 2) {
                return false;
            }
        }
        return true;
    }

    private BitSet start() {
        BitSet places = new BitSet();
        reach(places, 0);
        return places;
    }

    private BitSet after(BitSet places, char letter) {
        BitSet next = new BitSet();
        for (int place = places.nextSetBit(0); place >= 0 && place < parts.length; ) {
            int part = parts[place];
            if (part == ANYTHING || (part == WORD && letter != '.')) {
                reach(next, place);
            } else if (part == letter) {
                reach(next, place + 1);
            }
            place = places.nextSetBit(place + 1);
        }
        return next;
    }

    /** A star may stand for nothing, so the place behind it is reached with it. */
    private void reach(BitSet places, int first) {
        int place = first;
        places.set(place);
        while (place < parts.length && parts[place] < 0) {
            places.set(++place);
        }
    }
}
