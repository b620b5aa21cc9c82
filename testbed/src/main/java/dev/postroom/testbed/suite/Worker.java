package dev.postroom.testbed.suite;

import dev.postroom.testbed.suite.Schedule.Place;
import dev.postroom.testbed.suite.TestResult.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs one test JVM after the other until all is tested. */
final class Worker implements Runnable {

    private final int number;
    private final Options options;
    private final Schedule schedule;
    private final int serversPort;
    private final Report report;
    private int started;

    Worker(int number, Options options, Schedule schedule, int serversPort, Report report) {
        this.number = number;
        this.options = options;
        this.schedule = schedule;
        this.serversPort = serversPort;
        this.report = report;
    }

    @Override
    public void run() {
        for (Place place = schedule.takePlace(); place != null; place = schedule.takePlace()) {
            Job job = schedule.next(place);
            while (job != null) {
                job = workFrom(job);
            }
            schedule.leave(place);
        }
    }

    /** Runs the job and those after it in a new JVM, as long as that lives; gives the next one if it does not. */
    private @Nullable Job workFrom(Job first) {
        Job job = first;
        try (TestJvm jvm = start(first)) {
            while (job != null && jvm.isAlive()) {
                report.add(jvm.run(job));
                job = schedule.next(new Place(first.variant(), first.module()));
            }
            return job;
        } catch (IOException e) {
            report.add(failed(job == null ? first : job, e));
            return null;
        }
    }

    private TestJvm start(Job job) throws IOException {
        Path folder = Suite.outputFolder(options.root());
        String module = job.module().name().replace('/', '-');
        return TestJvm.start(
                job.variant(),
                job.module(),
                options,
                serversPort,
                folder.resolve(module + "-" + number + "." + ++started + ".log"));
    }

    private static ClassRun failed(Job job, IOException cause) {
        TestResult result =
                new TestResult(Outcome.FAILED, List.of(), job.selection(), "(whole class)", 0, cause.toString());
        return new ClassRun(job, List.of(result), 0, 0, "");
    }
}
