package dev.postroom.server.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Asks a server as a tool does: it follows no redirects and keeps no cookies. */
record Visit(WebServer server, HttpClient client) {
    Visit(WebServer server) {
        this(server, HttpClient.newHttpClient());
    }

    /** @param headers names and values by turns */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(server.url()).resolve(path)), headers);
    }

    HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(URI.create(server.url()).resolve(path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)),
                headers);
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String... headers)
            throws IOException, InterruptedException {
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    static String basic(String name, String password) {
        byte[] both = (name + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    /** The cookie of that name which an answer sets, with its attributes; empty when it sets none. */
    static String cookie(HttpResponse<?> response, String name) {
        return response.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .findFirst()
                .orElse("");
    }

    /** As the browser sends it back. */
    static String pair(String cookie) {
        return cookie.substring(0, cookie.indexOf(';'));
    }
}
