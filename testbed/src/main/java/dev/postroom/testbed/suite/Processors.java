package dev.postroom.testbed.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the machine's cores have done since it was started, in hundredths of a second: all processes, because those of the
 * servers count too.
 *
 * @param busy of all cores together
 * @param total of all cores together, waiting included
 */
record Processors(long busy, long total) {

    /** Where Linux says it; other systems have no such file. */
    static final Path STATISTICS = Path.of("/proc/stat");

    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISK = 5;
    private static final int LAST = 8;

    /** Empty when there is no such file. */
    static Optional<Processors> read(Path statistics) {
        if (!Files.isReadable(statistics)) {
            return Optional.empty();
        }
        try {
            // The first line is about all cores together.
            String[] fields = Files.readAllLines(statistics, StandardCharsets.US_ASCII)
                    .get(0)
                    .split("\\s+", -1);
            long total = 0;
            for (int i = 1; i <= LAST; i++) {
                total += Long.parseLong(fields[i]);
            }
            long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[WAITING_FOR_DISK]);
            return Optional.of(new Processors(total - idle, total));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Processors since(Processors earlier) {
        return new Processors(busy - earlier.busy, total - earlier.total);
    }

    int percent() {
        return total == 0 ? 0 : (int) (100 * busy / total);
    }

    double busyMinutes() {
        return busy / 6_000.0;
    }
}
