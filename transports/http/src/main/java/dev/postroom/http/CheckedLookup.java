package dev.postroom.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Gives the client addresses that it may connect to, and no others. It connects to what it gets from here without asking
 * anybody else, so a name that is public now and private a moment later gains nothing.
 */
final class CheckedLookup implements DnsResolver {
    private final HostLookup lookup;
    private final AddressRule rule;

    CheckedLookup(HostLookup lookup, AddressRule rule) {
        this.lookup = lookup;
        this.rule = rule;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] found = lookup.addresses(host);
        InetAddress[] allowed = Arrays.stream(found).filter(rule::allows).toArray(InetAddress[]::new);
        if (allowed.length == 0) {
            throw new RefusedAddressException(host, found);
        }
        return allowed;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }
}
