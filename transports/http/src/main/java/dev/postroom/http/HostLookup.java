package dev.postroom.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Finds the addresses of a host. May block. */
@FunctionalInterface
interface HostLookup {
    HostLookup SYSTEM = InetAddress::getAllByName;

    InetAddress[] addresses(String host) throws UnknownHostException;
}
