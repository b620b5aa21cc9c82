package dev.postroom.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.RelayReport;
import dev.postroom.operations.RelayReport.Held;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R51")
class RelayReportsTest {

    @Test
    void tell_what_is_held_and_why() {
        RelayReport report = RelayReports.read("""
                {"inFlight":3,"held":[
                  {"cause":"breaker","destination":"billing","topic":null,"why":"connection refused"},
                  {"cause":"no_route","destination":null,"topic":"unknown","why":"no route"}]}""");
        assertThat(report.inFlight()).isEqualTo(3);
        assertThat(report.held()).extracting(Held::what).containsExactly("destination billing", "topic unknown");
        assertThat(report.held()).extracting(Held::why).containsExactly("connection refused", "no route");
        assertThat(report.delivered()).isEqualTo(-1);
    }

    @Test
    void tell_rates_latencies_and_what_stands_still() {
        RelayReport report = RelayReports.read("""
                {"inFlight":0,"held":[],"delivered":120,"failed":3,"minute":{"delivered":60,"failed":1,
                 "p50Millis":4.0,"p95Millis":12.5,"p99Millis":null},"longestSendSeconds":1.5,"longestStallSeconds":301.000,
                 "somethingNew":{"a":[1,{"b":true}]}}""");
        assertThat(report.delivered()).isEqualTo(120);
        assertThat(report.failed()).isEqualTo(3);
        assertThat(report.minute()).isEqualTo(new RelayReport.Minute(60, 1, 4.0, 12.5, null));
        assertThat(report.longestSendSeconds()).isEqualTo(1.5);
        assertThat(report.longestStallSeconds()).isEqualTo(301);
    }

    @Test
    @Tag("R60")
    void tell_why_a_relay_began_anew() {
        RelayReport report = RelayReports.read("""
                {"restart":{"times":2,"secondsAgo":12.500,"why":"a bug"}}""");
        assertThat(report.restart()).isEqualTo(new RelayReport.Restart(2, 12.5, "a bug"));
    }

    @Test
    void of_a_stranger_say_nothing() {
        assertThat(RelayReports.read("{}")).isEqualTo(RelayReport.NONE);
        assertThat(RelayReports.read("broken")).isEqualTo(RelayReport.NONE);
        assertThat(RelayReports.read("[1]")).isEqualTo(RelayReport.NONE);
    }
}
