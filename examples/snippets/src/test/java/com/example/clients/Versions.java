package com.example.clients;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which libraries are really there. */
record Versions(Path directory, String pythonProgram) {
    /** Packages of npm. */
    String node(String... packages) {
        return Arrays.stream(packages)
                .map(name -> name + " " + installed(name))
                .collect(Collectors.joining(", ", "", ", Node.js " + printed("node", "--version")));
    }

    private String installed(String name) {
        try {
            File description = directory
                    .resolve("js/node_modules/" + name + "/package.json")
                    .toFile();
            return new ObjectMapper().readTree(description).get("version").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Distributions of Python. */
    String python(String... distributions) {
        return Arrays.stream(distributions)
                .map(name -> name + " "
                        + printed(
                                pythonProgram,
                                "-c",
                                "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))",
                                name)
                        + ", ")
                .collect(Collectors.joining("", "", printed(pythonProgram, "--version")));
    }

    /** A jar of the class path. */
    String java(String artifact) {
        Matcher jar = Pattern.compile(artifact + "-([0-9][^/" + File.pathSeparator + "]*)\\.jar")
                .matcher(System.getProperty("java.class.path"));
        if (!jar.find()) {
            throw new IllegalStateException(artifact + " is not on the class path");
        }
        return artifact + " " + jar.group(1) + ", Java " + Runtime.version().feature();
    }

    private static String printed(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command[0] + ": install it", e);
        }
    }
}
