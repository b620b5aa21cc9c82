package dev.postroom.server.web;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Whose an address is. */
final class ClientAddress {
    private static final int BYTES_OF_A_NETWORK = 8;

    private ClientAddress() {}

    /** One text for all addresses that one client has: with IPv6 a whole network of 2^64 is given to each. */
    static String owner(String address) {
        int zone = address.indexOf('%');
        InetAddress parsed = TrustedProxies.literal(zone < 0 ? address : address.substring(0, zone));
        return parsed instanceof Inet6Address ? network(parsed.getAddress()) : address;
    }

    private static String network(byte[] address) {
        Arrays.fill(address, BYTES_OF_A_NETWORK, address.length, (byte) 0);
        try {
            return InetAddress.getByAddress(address).getHostAddress() + "/64";
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }
}
