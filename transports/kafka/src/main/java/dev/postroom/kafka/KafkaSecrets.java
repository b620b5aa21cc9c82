package dev.postroom.kafka;

import dev.postroom.secrets.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/** Finds the secrets among the properties of a Kafka client. */
final class KafkaSecrets {
    private KafkaSecrets() {}

    static Secrets in(Map<String, String> properties) {
        List<String> values = new ArrayList<>();
        properties.forEach((name, value) -> {
            if (Secrets.areIn(name)) {
                values.add(value);
            }
            if (name.contains("jaas")) {
                addOptions(value, values);
            }
        });
        return Secrets.of(values).exceptWordsOf(String.join(" ", properties.keySet()));
    }

    /**
     * A login module, a flag, and options: {@code username="u" password="p";}. The values of secret options, and from the
     * first of them on every word too: quotes may be wrong, and errors then name the words that the parser was left with.
     */
    private static void addOptions(String jaas, List<String> values) {
        boolean secret = false;
        StringTokenizer words = new StringTokenizer(jaas, " \t\r\n=;\"'", false);
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            if (secret) {
                values.add(word);
            }
            secret |= Secrets.areIn(word);
        }
        for (int equals = jaas.indexOf('='); equals >= 0; equals = jaas.indexOf('=', equals + 1)) {
            String before = jaas.substring(0, equals).strip();
            String name = before.substring(before.lastIndexOf(' ') + 1);
            if (Secrets.areIn(name)) {
                values.add(value(jaas.substring(equals + 1).strip()));
            }
        }
    }

    /** Up to the quote that ends it, with what is escaped as it is meant. */
    private static String value(String rest) {
        char quote = rest.isEmpty() ? ' ' : rest.charAt(0);
        if (quote != '"' && quote != '\'') {
            return rest.split("[\\s;]", 2)[0];
        }
        StringBuilder value = new StringBuilder();
        for (int i = 1; i < rest.length() && rest.charAt(i) != quote; i++) {
            boolean escape = rest.charAt(i) == '\\' && i + 1 < rest.length();
            value.append(rest.charAt(escape ? ++i : i));
        }
        return value.toString();
    }
}
