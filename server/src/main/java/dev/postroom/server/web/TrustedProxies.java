package dev.postroom.server.web;

import dev.postroom.PostroomException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.catalina.util.NetMask;
import org.jspecify.annotations.Nullable;

/**
 * The proxies whose word counts for where a request comes from.
 *
 * @param ranges none: nobody's does
 */
record TrustedProxies(List<NetMask> ranges) {
    static final TrustedProxies NONE = new TrustedProxies(List.of());

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern V4 = Pattern.compile("(" + OCTET + "\\.){3}" + OCTET);
    private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern V4_WITH_PORT = Pattern.compile("([0-9.]+):\\d{1,5}");
    private static final Pattern V6_IN_BRACKETS = Pattern.compile("\\[([^\\]]+)\\](:\\d{1,5})?");

    /** @param words addresses and ranges such as {@code 10.1.0.0/16} */
    static TrustedProxies of(String key, List<String> words) {
        return new TrustedProxies(words.stream().map(word -> range(key, word)).toList());
    }

    private static NetMask range(String key, String word) {
        try {
            // A name would be asked for once, and its address may be somebody else's tomorrow.
            if (literal(word.replaceFirst("/\\d{1,3}$", "")) != null) {
                return new NetMask(word);
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new PostroomException(
                key + " has '" + word + "', which is neither an address nor a range: write them like"
                        + " 10.1.2.3, 10.1.0.0/16 or fd00::/8, separated by commas");
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    boolean contains(@Nullable String address) {
        InetAddress parsed = address == null ? null : literal(address);
        return parsed != null && ranges.stream().anyMatch(range -> range.matches(parsed));
    }

    /**
     * Whoever spoke to the first of our proxies. Each proxy adds the address it was spoken to from at the end, so the list is read
     * from there for as long as the speaker is one of ours; what stands further left may be made up.
     */
    String client(String peer, List<String> forwardedFor) {
        String client = peer;
        for (int i = forwardedFor.size() - 1; i >= 0 && contains(client); i--) {
            InetAddress before = literal(withoutPort(forwardedFor.get(i)));
            if (before == null) {
                break;
            }
            client = before.getHostAddress();
        }
        return client;
    }

    private static String withoutPort(String address) {
        String bare = V4_WITH_PORT.matcher(address).replaceFirst("$1");
        return V6_IN_BRACKETS.matcher(bare).replaceFirst("$1");
    }

    /** Never asks a name server: what it is given may be a stranger's text. */
    static @Nullable InetAddress literal(String text) {
        if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
