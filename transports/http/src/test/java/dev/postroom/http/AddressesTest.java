package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.http.Receiver.Reply;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R57")
class AddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "10.1.2.3",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.8.8.8",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.51.100.1",
                "203.0.113.9",
                "224.0.0.1",
                "239.1.1.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:10.0.0.1",
                "::ffff:8.8.8.8",
                "::7f00:1",
                "fe80::1",
                "fec0::1",
                "fc00::1",
                "fd12:3456::1",
                "ff02::1",
                "2001:db8::1",
                "3fff::1",
                "2001::1",
                "64:ff9b::a00:1",
                "64:ff9b:1::1",
                "2002:a00:1::1",
                "100::1"
            })
    void that_are_not_public_are_known(String address) throws Exception {
        if (address.equals("::ffff:8.8.8.8")) { // Java reads it as IPv4; as 16 bytes it is refused, whatever it maps
            byte[] mapped = new byte[16];
            Arrays.fill(mapped, 10, 12, (byte) 0xff);
            Arrays.fill(mapped, 12, 16, (byte) 8);
            assertThat(PublicAddresses.contain(mapped)).isFalse();
        } else {
            assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450::1",
                "64:ff9b::808:808",
                "2002:808:808::1"
            })
    void that_are_public_are_known(String address) throws Exception {
        assertThat(PublicAddresses.contain(InetAddress.getByName(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]", "0.0.0.0"})
    void that_are_private_are_refused_however_they_are_written(String host) throws Exception {
        try (Receiver receiver = Receiver.start();
                Webhook webhook = Webhook.to("http://" + host + ":" + receiver.port() + "/")) {
            Outcome.Failed failed = Sending.of(webhook, "{}").failure();
            assertThat(failed.reason()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("private", "allow-private-addresses");
            assertThat(receiver.requests()).isEmpty();
        }
    }

    /** 127.0.0.2 plays the public address, 127.0.0.1 the private one that the name turns to after it was checked. */
    @Test
    void the_one_that_was_checked_is_the_one_connected_to() throws Exception {
        InetAddress open = InetAddress.getByName("127.0.0.2");
        InetAddress secret = InetAddress.getLoopbackAddress();
        AtomicInteger lookups = new AtomicInteger();
        try (Receiver outside = Receiver.at("127.0.0.2", 0);
                Receiver inside = Receiver.at("127.0.0.1", outside.port());
                Webhook webhook = Webhook.to("http://hooks.example:" + outside.port() + "/")
                        .addresses(open::equals)
                        .lookup(host -> new InetAddress[] {lookups.getAndIncrement() == 0 ? open : secret})) {
            outside.answering(request -> new Reply(204, Map.of("Connection", "close"), ""));
            assertThat(Sending.of(webhook, "{}").outcome()).isEqualTo(Outcome.confirmed());
            assertThat(lookups).hasValue(1);
            assertThat(outside.requests()).hasSize(1);
            assertThat(outside.requests().get(0).header("Host")).isEqualTo("hooks.example:" + outside.port());

            assertThat(Sending.of(webhook, "{}").failure().error()).contains("'hooks.example'", "127.0.0.1");
            assertThat(lookups).hasValueGreaterThan(1);
            assertThat(inside.requests()).isEmpty();
        }
    }

    /** The same with the system's own resolver, and the answer changed between the check and the connection. */
    @Test
    void a_name_that_changes_after_it_was_checked_gains_nothing(@TempDir Path folder) throws Exception {
        Path hosts = Files.createFile(folder.resolve("hosts"));
        Path output = folder.resolve("output");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djdk.net.hosts.file=" + hosts,
                        "-Dsun.net.inetaddr.ttl=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RebindingProgram.class.getName(),
                        hosts.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(program.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(output))
                    .contains("first=true host=true outside=1 inside=0 now=127.0.0.1")
                    .contains("second='rebind.example' has private addresses only");
        } finally {
            program.destroyForcibly();
        }
    }

    @Test
    void private_ones_among_public_ones_are_not_tried() throws Exception {
        InetAddress open = InetAddress.getByName("127.0.0.2");
        InetAddress secret = InetAddress.getLoopbackAddress();
        try (Receiver inside = Receiver.at("127.0.0.1", 0);
                Webhook webhook = Webhook.to("http://hooks.example:" + inside.port() + "/")
                        .addresses(open::equals)
                        .lookup(host -> new InetAddress[] {secret, open, secret})) {
            // Nobody listens at the public one, so a client that knew the others would go on to them.
            assertThat(Sending.of(webhook, "{}").failure().scope()).isEqualTo(Scope.DESTINATION);
            assertThat(inside.requests()).isEmpty();
        }
    }
}
