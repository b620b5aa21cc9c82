package dev.postroom.admin.redact;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code Basic …} says: receivers read it, and quote user and password as they read them. Pure. */
final class BasicCredentials {
    private static final Pattern BASIC = Pattern.compile("(?i)^\\s*basic\\s+([A-Za-z0-9+/_-]+)=*\\s*$");

    private BasicCredentials() {}

    /** Both together and the password; nothing when it is something else. */
    static List<String> in(String header) {
        Matcher basic = BASIC.matcher(header);
        if (!basic.matches()) {
            return List.of();
        }
        try {
            byte[] bytes =
                    Base64.getDecoder().decode(basic.group(1).replace('-', '+').replace('_', '/'));
            String both = new String(bytes, StandardCharsets.UTF_8);
            int colon = both.indexOf(':');
            return colon < 0 ? List.of() : List.of(both, both.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }
}
