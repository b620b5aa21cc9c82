package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ServerDirectoryTest {

    @Test
    void who_asks_is_answered_and_told_why_there_is_no_server() throws IOException {
        try (ServerDirectory directory = new ServerDirectory()) {
            for (int i = 0; i < 2; i++) {
                assertThat(ask(directory, "oracle newest")).isEqualTo("failed no server is called oracle newest");
            }
        }
    }

    private static String ask(ServerDirectory directory, String name) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), directory.port())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write((name + "\n").getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }
}
