package dev.postroom.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A web server that remembers what it got and answers as it is told. */
final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Reply> replies = request -> Reply.of(204);

    @SuppressWarnings("ArrayRecordComponent")
    record Request(String method, String path, Headers headers, byte[] body) {
        String header(String name) {
            return headers.getFirst(name);
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    record Reply(int status, Map<String, String> headers, String body) {
        static Reply of(int status) {
            return new Reply(status, Map.of(), "");
        }
    }

    private Receiver(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
    }

    static Receiver start() throws IOException {
        return new Receiver(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    static Receiver at(String address, int port) throws IOException {
        return new Receiver(HttpServer.create(new InetSocketAddress(address, port), 0));
    }

    static Receiver secure(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new Receiver(server);
    }

    Receiver answering(Function<Request, Reply> with) {
        replies = with;
        return this;
    }

    Receiver answering(int status) {
        return answering(request -> Reply.of(status));
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    exchange.getRequestBody().readAllBytes());
            requests.add(request);
            Reply reply = replies.apply(request);
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    List<Request> requests() {
        return requests;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port() + "/hooks";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
