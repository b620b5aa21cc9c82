package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.relay.ManualRelay;
import dev.postroom.spi.Outcome;
import dev.postroom.testbed.Promtool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the dashboard, the alerts and the documentation speak of is there, by that name and with those labels. */
@Tag("R50")
class DocumentedMetricsTest {
    private static final Path DOCS = Path.of("../docs");
    private static final Path ALERT_CASES = Path.of("src/test/resources");
    private static final Pattern METRIC = Pattern.compile("(postroom_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern BY = Pattern.compile("by \\(([a-z_, ]+)\\)");
    private static final Pattern DASHBOARD_EXPRESSION = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern RULE_EXPRESSION = Pattern.compile("expr: >-\\s+(.*)");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final Pattern GOES_OFF = Pattern.compile("alertname: (\\w+)\\s+exp_alerts:");
    private static final Pattern IS_SILENT = Pattern.compile("alertname: (\\w+)(?!\\w|\\s+exp_alerts:)");
    private static final Pattern RUNBOOK = Pattern.compile("runbook_url: \"docs/operations\\.md#([a-z0-9-]+)\"");
    /** Prometheus adds these. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    private static Map<String, Set<String>> metrics;

    @BeforeAll
    static void scrape() {
        Shop shop = new Shop();
        shop.publish(Message.to("orders"));
        try (PostroomMetrics all = PostroomMetrics.on(shop.registry);
                ManualRelay relay = shop.relay()
                        .deliverTo("out", Shop.answering(delivery -> Outcome.confirmed()))
                        .listener(all.relayListener())
                        .manual()) {
            all.watch(shop.store);
            relay.drain();
            metrics = shop.scrape().metrics();
        }
    }

    private static List<String> expressions(Pattern pattern, Path file) throws IOException {
        List<String> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(Files.readString(file));
        while (matcher.find()) {
            found.add(matcher.group(1).replace("\\\"", "\""));
        }
        return found;
    }

    private static void exists(String expression) {
        Set<String> available = new TreeSet<>(OF_PROMETHEUS);
        Matcher metric = METRIC.matcher(expression);
        while (metric.find()) {
            assertThat(metrics).as(expression).containsKey(metric.group(1));
            Set<String> labels = metrics.get(metric.group(1));
            available.addAll(labels);
            Matcher label = MATCHER.matcher(metric.group(2) == null ? "" : metric.group(2));
            while (label.find()) {
                String name = label.group(1);
                assertThat(OF_PROMETHEUS.contains(name) || labels.contains(name))
                        .as(name + " in " + expression)
                        .isTrue();
            }
        }
        Matcher by = BY.matcher(expression);
        while (by.find()) {
            assertThat(available).as(expression).contains(by.group(1).split(",\\s*"));
        }
    }

    @Test
    void dashboard_shows_what_there_is() throws IOException {
        List<String> expressions = expressions(DASHBOARD_EXPRESSION, DOCS.resolve("grafana/postroom.json"));
        assertThat(expressions).hasSizeGreaterThan(20).allSatisfy(DocumentedMetricsTest::exists);
    }

    @Test
    void alerts_look_at_what_there_is() throws IOException {
        List<String> expressions = expressions(RULE_EXPRESSION, DOCS.resolve("prometheus/alerts.yml"));
        assertThat(expressions).hasSizeGreaterThan(10).allSatisfy(DocumentedMetricsTest::exists);
    }

    @Test
    void alerts_lead_into_the_runbook() throws IOException {
        List<String> anchors = Files.readAllLines(DOCS.resolve("operations.md")).stream()
                .filter(line -> line.startsWith("#"))
                .map(line ->
                        line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replace(' ', '-'))
                .toList();
        assertThat(expressions(RUNBOOK, DOCS.resolve("prometheus/alerts.yml")))
                .hasSizeGreaterThan(10)
                .isSubsetOf(anchors);
    }

    @Test
    void every_metric_is_documented_and_every_documented_metric_is_there() throws IOException {
        Set<String> real = new TreeSet<>();
        metrics.keySet().forEach(name -> real.add(name.replaceFirst("_(bucket|count|sum|max)$", "")));
        Set<String> documented = new TreeSet<>();
        Matcher row = Pattern.compile("\\| `(postroom_[a-z_]+)`").matcher(Files.readString(DOCS.resolve("metrics.md")));
        while (row.find()) {
            documented.add(row.group(1));
        }
        assertThat(documented).isEqualTo(real);
    }

    @Test
    void every_alert_is_made_to_go_off_and_shown_to_be_silent_before() throws IOException {
        List<String> alerts = expressions(ALERT, DOCS.resolve("prometheus/alerts.yml"));
        assertThat(alerts).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        assertThat(expressions(GOES_OFF, ALERT_CASES.resolve("alerts-test.yml")))
                .containsExactlyInAnyOrderElementsOf(alerts);
        assertThat(expressions(IS_SILENT, ALERT_CASES.resolve("alerts-test.yml")))
                .containsAll(alerts);
    }

    @Test
    void prometheus_accepts_the_rules_and_they_go_off_when_they_should() {
        Promtool.Result check = Promtool.run(ALERT_CASES, "check", "rules", "../../../../docs/prometheus/alerts.yml");
        assertThat(check.exitCode()).as(check.output()).isZero();
        Promtool.Result test = Promtool.run(ALERT_CASES, "test", "rules", "alerts-test.yml");
        assertThat(test.exitCode()).as(test.output()).isZero();
    }
}
