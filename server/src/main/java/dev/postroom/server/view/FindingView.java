package dev.postroom.server.view;

import dev.postroom.server.doctor.Finding;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What one of the doctor's checks found; {@code level} is ok, warning or wrong. */
public record FindingView(
        String check,
        String level,
        String says,
        @Nullable String advice,
        @Nullable String command) {

    public static FindingView of(Finding finding) {
        return new FindingView(
                finding.check(), label(finding.level()), finding.says(), finding.advice(), finding.command());
    }

    public static String label(Finding.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
