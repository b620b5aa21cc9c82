package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorsTest {

    @TempDir
    Path folder;

    /** The fields of Linux: user, nice, system, idle, waiting for the disk, interrupts (hard, soft), stolen, guests (counted before). */
    @Test
    void idle_cores_and_those_that_wait_for_the_disk_are_not_busy() throws IOException {
        Processors before = read("cpu  1000 0 0 1000 0 0 0 0 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
        Processors after = read("cpu  7000 500 1000 4000 1000 100 200 200 7000 7000\n");

        Processors used = after.since(before);

        assertThat(used).isEqualTo(new Processors(8_000, 12_000));
        assertThat(used.percent()).isEqualTo(66);
        assertThat(used.busyMinutes()).isEqualTo(8_000 / 100.0 / 60);
        assertThat(before.since(before).percent()).isZero();
    }

    @Test
    void where_there_is_no_such_file_nothing_is_known() {
        assertThat(Processors.read(folder.resolve("stat"))).isEmpty();
    }

    private Processors read(String statistics) throws IOException {
        Path file = Files.writeString(folder.resolve("stat"), statistics, StandardCharsets.US_ASCII);
        return Processors.read(file).orElseThrow();
    }
}
