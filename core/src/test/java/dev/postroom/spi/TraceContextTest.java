package dev.postroom.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R53")
class TraceContextTest {
    private static final String VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @ParameterizedTest
    @ValueSource(
            strings = {
                VALID,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
                "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future-holds"
            })
    void what_the_recommendation_allows_is_kept(String parent) {
        Map<String, String> headers = Map.of("traceparent", parent, "tracestate", "a=1", "shop", "north");
        assertThat(TraceContext.validIn(headers)).isSameAs(headers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-a-b-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
                "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
                " 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
    void anything_else_is_left_out_with_its_state_whatever_the_case_of_the_names(String parent) {
        Map<String, String> headers = Map.of("TraceParent", parent, "TRACESTATE", "a=1", "shop", "north");
        assertThat(TraceContext.validIn(headers)).containsOnly(Map.entry("shop", "north"));
    }

    @Test
    void two_of_them_are_none() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("traceparent", VALID);
        headers.put("Traceparent", VALID);
        assertThat(TraceContext.validIn(headers)).isEmpty();
    }

    @Test
    void headers_are_found_whatever_the_case_of_their_names() {
        assertThat(TraceContext.find(Map.of("Traceparent", VALID), TraceContext.PARENT))
                .isEqualTo(VALID);
        assertThat(TraceContext.find(Map.of("shop", "north"), TraceContext.PARENT))
                .isNull();
    }
}
