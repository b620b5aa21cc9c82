package com.example.snippets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Code that stands in a document too. In its source it is between two comments: the first says {@code in} and the document, the
 * second {@code until here}. A comment {@code and in} goes on with the block in another place of the same source.
 */
public record Snippet(Path source, String document, String text) {
    private static final Pattern BEGIN = Pattern.compile("\\s*// (and )?in ((?:docs/)?[A-Za-z-]+\\.md)");
    private static final String END = "// until here";

    /** All that the tests and examples under this folder have. */
    static List<Snippet> allIn(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> isTestOrExample(root.relativize(file).toString()))
                    .flatMap(file -> in(file).stream())
                    .toList();
        }
    }

    private static boolean isTestOrExample(String path) {
        return !path.contains("target/") && (path.contains("src/test/") || path.startsWith("examples/"));
    }

    private static List<Snippet> in(Path source) {
        List<Snippet> found = new ArrayList<>();
        String document = null;
        StringBuilder text = new StringBuilder();
        for (String line : lines(source)) {
            Matcher begin = BEGIN.matcher(line);
            if (begin.matches()) {
                document = begin.group(2);
                text.setLength(0);
                if (begin.group(1) != null) {
                    text.append(found.remove(found.size() - 1).text());
                }
            } else if (document != null && line.strip().equals(END)) {
                found.add(new Snippet(source, document, text.toString()));
                document = null;
            } else if (document != null) {
                text.append(line).append('\n');
            }
        }
        if (document != null) {
            throw new IllegalStateException(source + " begins code of " + document + " and never says '" + END + "'");
        }
        return found;
    }

    /** The code of a language in a document, block by block. */
    public static List<String> blocks(Path document, String language) {
        List<String> blocks = new ArrayList<>();
        StringBuilder block = null;
        for (String line : lines(document)) {
            if (line.equals("```" + language)) {
                block = new StringBuilder();
            } else if (block != null && line.equals("```")) {
                blocks.add(block.toString());
                block = null;
            } else if (block != null) {
                block.append(line).append('\n');
            }
        }
        return blocks;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without any space: documents are narrower than sources, which the formatter lays out. */
    static String squeeze(String code) {
        return code.replaceAll("\\s+", "");
    }
}
