package dev.postroom.testbed.suite;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The program of a test JVM: runs the classes that the suite names, one after the other, and tells how they ended. */
final class TestProgram {

    /** Before the name of a class of which tests tagged as long shall not run. */
    static final String WITHOUT_LONG = "-";

    private TestProgram() {}

    /** Runs it, with the suite's port as its argument. */
    public static void main(String[] args) throws IOException, InterruptedException {
        try (Socket suite = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
                PrintWriter out = new PrintWriter(
                        new OutputStreamWriter(suite.getOutputStream(), StandardCharsets.UTF_8), true)) {
            BlockingQueue<String> selections = new LinkedBlockingQueue<>();
            Thread listener = new Thread(() -> listen(suite, selections), "suite-listener");
            listener.setDaemon(true);
            listener.start();
            Launcher launcher = LauncherFactory.create();
            while (true) {
                run(launcher, selections.take(), out);
            }
        }
    }

    /** Ends the JVM with the suite's connection, also in the middle of a test and whatever threads it has left behind. */
    private static void listen(Socket suite, BlockingQueue<String> selections) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(suite.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                selections.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            System.exit(0);
        }
    }

    private static void run(Launcher launcher, String selection, PrintWriter out) {
        boolean withoutLong = selection.startsWith(WITHOUT_LONG);
        String[] names = selection.substring(withoutLong ? 1 : 0).split("#", -1);
        LauncherDiscoveryRequestBuilder request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(names[0]));
        if (withoutLong) {
            request.filters(TagFilter.excludeTags(Suite.LONG));
        }
        if (names.length > 1) {
            request.filters(named(names[1]));
        }
        long before = cpuMillis();
        launcher.execute(request.build(), new ResultListener(result -> out.println(TestJvm.TEST + result.toLine())));
        out.println(TestJvm.DONE + (cpuMillis() - before));
    }

    /** Methods of that name, also of nested classes and with parameters. */
    private static PostDiscoveryFilter named(String method) {
        return test -> FilterResult.includedIf(test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName().equals(method))
                .orElse(true));
    }

    /** Of this process, without those it started. */
    private static long cpuMillis() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1_000_000;
    }
}
