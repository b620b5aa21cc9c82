package dev.postroom.server.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands with curl in a document, as requests: what the documentation shows is what is tried. */
final class CurlExamples {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private CurlExamples() {}

    static List<String> in(Path document) {
        try {
            return Files.readString(document, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("curl "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Understands what the examples use: -u, -H, -d and a URL. */
    static HttpRequest request(String command, String server) {
        List<String> words = words(command.replace("$POSTROOM/", server));
        HttpRequest.Builder request = HttpRequest.newBuilder();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-u" ->
                    request.header(
                            "Authorization",
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString(words.get(++i).getBytes(StandardCharsets.UTF_8)));
                case "-H" -> {
                    String[] header = words.get(++i).split(": ", 2);
                    request.header(header[0], header[1]);
                }
                case "-d" -> request.POST(BodyPublishers.ofString(words.get(++i)));
                default -> request.uri(URI.create(words.get(i)));
            }
        }
        return request.build();
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            String quoted = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
            words.add(quoted != null ? quoted : matcher.group(3));
        }
        return words;
    }
}
