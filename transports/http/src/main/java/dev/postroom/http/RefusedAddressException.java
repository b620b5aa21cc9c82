package dev.postroom.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A host has no address that a webhook may be sent to. */
final class RefusedAddressException extends UnknownHostException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 4;

    RefusedAddressException(String host, InetAddress[] found) {
        super("'" + host + "' has private addresses only (" + shown(found)
                + "), which webhooks are not sent to: correct the url, or set allow-private-addresses");
    }

    private static String shown(InetAddress[] found) {
        return Arrays.stream(found)
                .limit(SHOWN)
                .map(InetAddress::getHostAddress)
                .collect(Collectors.joining(", "));
    }
}
