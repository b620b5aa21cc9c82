package dev.postroom.server.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings below one key. Values were checked when they were loaded; what is not set is empty. Immutable. */
public final class Section {
    private final String prefix;
    private final Map<String, String> values;

    Section(String prefix, Map<String, String> values) {
        this.prefix = prefix;
        this.values = values;
    }

    /** The whole key of a setting in here, for errors. */
    public String key(String name) {
        return prefix + "." + name;
    }

    public Section section(String name) {
        return new Section(key(name), values);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(key(name)));
    }

    /** Several words separated by commas; none only when it is not there. */
    public List<String> words(String name) {
        return text(name).map(text -> words(name, text)).orElse(List.of());
    }

    /** What is written without a word in it was meant to say something, and to take it for nothing may open what it closes. */
    private List<String> words(String name, String text) {
        List<String> words = Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw new SettingsException(List.of(
                    key(name) + " says '" + text + "', which names nothing: give at least one, or leave it out"));
        }
        return words;
    }

    /** Values that each have a place in a list, in order: {@code secrets[0]}, {@code secrets[1]}. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (String text = values.get(key(name) + "[0]"); text != null; ) {
            texts.add(text);
            text = values.get(key(name) + "[" + texts.size() + "]");
        }
        return texts;
    }

    /** How many values have a place in a list, also where one before them is missing. */
    int places(String name) {
        return (int) values.keySet().stream()
                .filter(key -> key.startsWith(key(name) + "[") && key.endsWith("]"))
                .count();
    }

    public Optional<Boolean> flag(String name) {
        return text(name).map(text -> (Boolean) Kind.FLAG.read(text));
    }

    /** A count, a port or a number of bytes. */
    public Optional<Integer> integer(String name) {
        return text(name).map(text -> (Integer) kind(name).read(text));
    }

    /** A ratio or a factor. */
    public Optional<Double> number(String name) {
        return text(name).map(text -> (Double) kind(name).read(text));
    }

    public Optional<Duration> duration(String name) {
        return text(name).map(text -> (Duration) Kind.DURATION.read(text));
    }

    /** Everything below a key, as it is: {@code properties.*} for a client library. */
    public Map<String, String> everythingBelow(String name) {
        Map<String, String> found = new TreeMap<>();
        String start = key(name) + ".";
        values.forEach((key, value) -> {
            if (key.startsWith(start)) {
                found.put(key.substring(start.length()), value);
            }
        });
        return found;
    }

    private Kind kind(String name) {
        return KnownSettings.find(key(name))
                .orElseThrow(() -> new IllegalArgumentException(key(name) + " is not in the catalogue"))
                .kind();
    }
}
