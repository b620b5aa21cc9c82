package dev.postroom.http;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * The addresses that anybody on the Internet could reach. A webhook's URL, and what its name resolves to, are often the
 * choice of somebody else; through us they must not reach what only we can reach: this machine, its network, a cloud's
 * metadata service. The blocks are those that IANA's registries of special-purpose addresses call not globally
 * reachable, and multicast.
 */
final class PublicAddresses {
    private static final List<Block> PRIVATE_4 = List.of(
            block("0.0.0.0", 8), // this network
            block("10.0.0.0", 8),
            block("100.64.0.0", 10), // carrier-grade NAT
            block("127.0.0.0", 8), // loopback
            block("169.254.0.0", 16), // link-local, and metadata services
            block("172.16.0.0", 12),
            block("192.0.0.0", 24), // protocol assignments
            block("192.0.2.0", 24), // documentation
            block("192.88.99.0", 24), // relays from IPv6
            block("192.168.0.0", 16),
            block("198.18.0.0", 15), // measurements
            block("198.51.100.0", 24), // documentation
            block("203.0.113.0", 24), // documentation
            block("224.0.0.0", 4), // multicast
            block("240.0.0.0", 4)); // reserved, and broadcast

    /** All of IPv6 that was given out lies in here; loopback, unique-local, link-local and multicast do not. */
    private static final Block GLOBAL_6 = block("2000::", 3);

    private static final List<Block> PRIVATE_6 = List.of(
            block("2001::", 23), // protocol assignments, Teredo among them
            block("2001:db8::", 32), // documentation
            block("3fff::", 20)); // documentation

    /** Forms that carry an IPv4 address, which decides, and where in the address it is. */
    private static final Block NAT64 = block("64:ff9b::", 96);

    private static final Block SIX_TO_FOUR = block("2002::", 16);

    private PublicAddresses() {}

    static boolean contain(InetAddress address) {
        return contain(address.getAddress());
    }

    /** For 4 or 16 bytes. IPv4-mapped and -compatible addresses are outside {@link #GLOBAL_6}. */
    static boolean contain(byte[] address) {
        if (address.length == 4) {
            return PRIVATE_4.stream().noneMatch(block -> block.contains(address));
        }
        if (NAT64.contains(address)) {
            return contain(Arrays.copyOfRange(address, 12, 16));
        }
        if (SIX_TO_FOUR.contains(address)) {
            return contain(Arrays.copyOfRange(address, 2, 6));
        }
        return GLOBAL_6.contains(address) && PRIVATE_6.stream().noneMatch(block -> block.contains(address));
    }

    private static Block block(String address, int bits) {
        try {
            return new Block(new BigInteger(1, InetAddress.getByName(address).getAddress()), bits, size(address));
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException(address + " is no address", e);
        }
    }

    private static int size(String address) {
        return address.contains(":") ? 128 : 32;
    }

    private record Block(BigInteger first, int bits, int size) {
        boolean contains(byte[] address) {
            return address.length * 8 == size
                    && new BigInteger(1, address)
                                    .xor(first)
                                    .shiftRight(size - bits)
                                    .signum()
                            == 0;
        }
    }
}
