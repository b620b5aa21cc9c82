package dev.postroom.http;

import dev.postroom.http.Receiver.Reply;
import dev.postroom.spi.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;

/**
 * Sends to a name whose answer changes in the very moment in which it was checked, in a JVM whose own resolver reads a file
 * and keeps nothing. 127.0.0.2 plays the public address, 127.0.0.1 the private one.
 */
final class RebindingProgram {
    private static final String HOST = "rebind.example";

    private RebindingProgram() {}

    public static void main(String[] arguments) throws Exception {
        Path hosts = Path.of(arguments[0]);
        InetAddress open = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        try (Receiver outside = Receiver.at("127.0.0.2", 0);
                Receiver inside = Receiver.at("127.0.0.1", outside.port());
                Webhook webhook = Webhook.to("http://" + HOST + ":" + outside.port() + "/")
                        .addresses(address -> {
                            answer(hosts, "127.0.0.1");
                            return open.equals(address);
                        })) {
            outside.answering(request -> new Reply(204, Map.of("Connection", "close"), ""));
            answer(hosts, "127.0.0.2");
            boolean first = Sending.of(webhook, "{}").outcome().equals(Outcome.confirmed());
            String now = InetAddress.getAllByName(HOST)[0].getHostAddress();
            String second = Sending.of(webhook, "{}").failure().error();
            System.out.println("first=" + first + " host="
                    + outside.requests().get(0).header("Host").startsWith(HOST)
                    + " outside=" + outside.requests().size() + " inside="
                    + inside.requests().size() + " now=" + now
                    + " second=" + second);
        }
        System.exit(0);
    }

    private static void answer(Path hosts, String address) {
        try {
            Path whole = Files.writeString(hosts.resolveSibling("hosts.new"), address + " " + HOST + "\n");
            Files.move(whole, hosts, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
