package dev.postroom.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the page computes by itself, in the browser that computes it. */
@OnStage
class PureModulesTest {
    private Screen screen;

    @BeforeEach
    void open(Stage stage) {
        screen = stage.operator().open("audit");
    }

    @Test
    void numbers_and_times_are_written_for_people() {
        assertThat(run("kit/format.js", """
                        [m.count(9999), m.count(1234567), m.count(null), m.duration(0), m.duration(0.25), m.duration(59), m.duration(3725),
                         m.duration(90000), m.bytes(0), m.bytes(1536), m.bytes(6 * 1024 ** 3), m.percent(0.0002), m.percent(0.112),
                         m.millis(2.34), m.millis(2400), m.rate(0.27), m.rate(12345.6), m.reasonName("HANDLER_EXCEPTION")].join(" | ")"""))
                .isEqualTo(
                        "9,999 | about 1.2 million | – | 0 s | 0.3 s | 59 s | 1 h 2 min | 1 d 1 h | 0 B | 1.5 KB | 6 GB"
                                + " | < 0.1 % | 11.2 % | 2.3 ms | 2.4 s | 0.3 | 12,346 | Handler exception");
    }

    @Test
    void the_backlogs_way_is_told_from_the_last_minutes() {
        String points = """
                const at = (i) => new Date(Date.UTC(2026, 0, 1) + i * 5000).toISOString();
                const line = (start, step) => Array.from({ length: 60 }, (_, i) => ({ at: at(i), backlog: start + i * step }));
                """;
        assertThat(runBlock("kit/trend.js", points + """
                                const grows = m.outlook(900, line(600, 5));
                                const shrinks = m.outlook(600, line(1200, -10));
                                return [grows.direction, Math.round(grows.growth * 10) / 10, shrinks.direction, Math.round(shrinks.drainSeconds),
                                  m.outlook(500, line(500, 0)).direction, m.outlook(0, line(5, 0)).direction, m.outlook(7, []).direction].join(" ");""")).isEqualTo("grows 1 shrinks 300 steady empty unknown");
    }

    @Test
    void json_is_indented_without_being_changed() {
        assertThat(run(
                        "kit/payload.js",
                        "m.indented('{\"a\":1e400,\"a\":\"x:{,\\\\\\\"}\",\"b\":[],\"c\":{ },\"d\":[1.0,2]}')"))
                .isEqualTo("""
                        {
                          "a": 1e400,
                          "a": "x:{,\\"}",
                          "b": [],
                          "c": {},
                          "d": [
                            1.0,
                            2
                          ]
                        }""");
    }

    @Test
    @Tag("I9")
    void a_list_says_where_it_ends_that_older_messages_were_not_searched() {
        String rendered = """
                const { render } = await import(new URL('assets/kit/html.js', document.baseURI).href);
                const text = (complete, status) => {
                  const at = document.createElement("div");
                  render(m.pager({ items: [], page: 0, pageSize: 50, total: 0, totalIsExact: complete, complete }, () => "", status), at);
                  return at.querySelector("[role=note]")?.textContent ?? "nothing";
                };
                return [text(false, "pending"), text(false, "processed"), text(true, "pending")].join(" | ");""";
        assertThat(runBlock("parts/pager.js", rendered))
                .isEqualTo(
                        "Only the newest 10,000 or so were searched. Narrow by status, or by tenant and key, to reach"
                                + " older ones. | Only the newest 10,000 or so were searched. Search for an older one by its whole id."
                                + " | nothing");
    }

    @Test
    void a_group_of_failures_is_found_by_what_its_errors_have_in_common() {
        assertThat(run("parts/actions.js", """
                        JSON.stringify([m.commonText("no stock for <text> in warehouse <n>", 'no stock for "A 1" in warehouse 7'),
                          m.commonText("a b c", "a\\n b c"), m.commonText("<n>", "17")])""")).isEqualTo("[\"no stock for\",\"\",\"\"]");
    }

    private Object run(String module, String expression) {
        return runBlock(module, "return " + expression + ";");
    }

    private Object runBlock(String module, String block) {
        return screen.page.evaluate("async () => { const m = await import(new URL('assets/" + module
                + "', document.baseURI).href); " + block + " }");
    }
}
