package dev.postroom.server.secrets;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A hundred passwords such as people and generators make them, and such as break parsers. The same ones in every run. */
final class OddPasswords {
    private static final int COUNT = 100;
    private static final String SIGNS = "aZ7@/:%?#&=;+ ,\"'\\$^*!{}[]()<>|~`-_.äß鍵😀";

    private OddPasswords() {}

    static List<String> all() {
        List<String> all = new ArrayList<>(List.of(
                "p@ss/w0rd!9",
                "h4lf:and/h4lf@end",
                "12345/rest0fit",
                "geh eim 42 mit leer",
                "100%sure%41%zz",
                "\"quot3d\"'s1ngle'",
                "back\\sl4sh\\\\tw1ce",
                "a&b=c;d?e#f_g1h2",
                "$1\\1${jndi:ldap}",
                "tab\there0",
                "ünïcödé-鍵-😀",
                "*al1as",
                "!t4g",
                "&anch0r",
                "{m4p: x1y2}",
                "[l1st, x3]",
                "-----BEGIN",
                "x=1;PASSWORD=y2z",
                "://h0st@x/y",
                "@@@@////",
                "%2540%40",
                "+++p1us+++"));
        Random random = new Random(72);
        while (all.size() < COUNT) {
            StringBuilder password = new StringBuilder("q");
            int length = 7 + random.nextInt(20);
            int[] signs = SIGNS.codePoints().toArray();
            for (int i = 0; i < length; i++) {
                password.appendCodePoint(signs[random.nextInt(signs.length)]);
            }
            all.add(password.append("Z9").toString());
        }
        return all;
    }

    /** The ways in which one could be seen by whoever reads the output. */
    static List<String> forms(String password) {
        String encoded = encoded(password);
        return List.of(
                password,
                encoded,
                encoded.replace("+", "%20"),
                password.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t"));
    }

    static String encoded(String password) {
        return URLEncoder.encode(password, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
