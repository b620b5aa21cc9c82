package com.example.clients;

import dev.postroom.spi.Transport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A receiver that reports each message as one line of JSON.
 *
 * @param topic its own, which also names its destination and its queue
 * @param libraries what it reads messages with, and their versions
 * @param transport sends to it
 */
record Client(String topic, String libraries, Ability ability, Transport transport, Program program) {
    /** Starts a receiver and hands over its lines. Ends when it is closed. */
    interface Program {
        AutoCloseable start(String topic, Consumer<String> lines) throws Exception;
    }

    /** A process of its own; what it complains of is in a file of the folder. */
    static Program process(Path logs, Map<String, String> settings, Path script, String interpreter) {
        return (topic, lines) -> {
            ProcessBuilder builder = new ProcessBuilder(
                            interpreter, script.getFileName().toString())
                    .directory(script.getParent().toFile())
                    .redirectError(logs.resolve(topic + ".log").toFile());
            builder.environment().putAll(settings);
            builder.environment().put("TOPIC", topic);
            builder.environment().put("QUEUE", topic);
            Process process = builder.start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy)); // also after Ctrl-C
            Thread reader = new Thread(() -> readLines(process, lines), "output of " + topic);
            reader.setDaemon(true);
            reader.start();
            return process::destroy;
        };
    }

    private static void readLines(Process process, Consumer<String> lines) {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
