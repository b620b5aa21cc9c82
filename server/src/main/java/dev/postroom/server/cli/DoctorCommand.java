package dev.postroom.server.cli;

import dev.postroom.server.doctor.Doctor;
import dev.postroom.server.doctor.Finding;
import dev.postroom.server.doctor.Finding.Level;
import dev.postroom.server.output.Paint;
import dev.postroom.server.text.Printable;
import dev.postroom.server.view.FindingView;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = "Looks everything over and says what is wrong and what to do; exits 1 when something is.",
        footer = {"", "Example:", "  postroom doctor"})
final class DoctorCommand extends PostroomCommand {

    record Examined(boolean healthy, List<FindingView> checks) {}

    @Override
    public Integer call() {
        List<Finding> findings = new Doctor(InstantSource.system())
                .examine(root()::installation).stream()
                        .map(finding -> finding.with(root().sameSettings())
                                .shown(root().surroundings().secrets()::hide))
                        .toList();
        boolean healthy = findings.stream().noneMatch(finding -> finding.level() == Level.WRONG);
        print(
                new Examined(healthy, findings.stream().map(FindingView::of).toList()),
                () -> findings.forEach(this::printLine));
        return healthy ? SUCCESS : FAILURE;
    }

    private void printLine(Finding finding) {
        String says = Printable.line(finding.says());
        String advice = finding.advice() == null ? "" : " -> " + Printable.line(finding.advice());
        out().printf(Locale.ROOT, "%s %-19s %s%s%n", painted(finding.level()), finding.check(), says, advice);
        if (finding.command() != null) {
            out().println(Printable.line(finding.command()));
        }
    }

    private String painted(Finding.Level level) {
        Paint paint = Paint.on(terminal(), root().surroundings().environment());
        String label = String.format(Locale.ROOT, "%-8s", FindingView.label(level));
        return switch (level) {
            case OK -> paint.good(label);
            case WARNING -> paint.doubtful(label);
            case WRONG -> paint.bad(label);
        };
    }
}
