package dev.postroom.http;

import java.net.InetAddress;

/** Which addresses a webhook may be sent to. */
@FunctionalInterface
interface AddressRule {
    AddressRule ANY = address -> true;

    /** Addresses of the public Internet only. */
    AddressRule PUBLIC = PublicAddresses::contain;

    boolean allows(InetAddress address);
}
