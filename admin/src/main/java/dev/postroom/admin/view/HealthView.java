package dev.postroom.admin.view;

import dev.postroom.operations.Health;
import java.util.List;

/** Whether messages get through, and if not, why and what to do. */
public record HealthView(String status, List<ReasonView> reasons) {

    /** One reason; {@code link} names a part of the page. */
    public record ReasonView(String code, String status, String text, String action, String link) {
        static ReasonView of(Health.Reason reason) {
            return new ReasonView(
                    reason.code().name(), reason.status().name(), reason.text(), reason.action(), reason.link());
        }
    }

    public static HealthView of(Health health) {
        return new HealthView(
                health.status().name(),
                health.reasons().stream().map(ReasonView::of).toList());
    }
}
