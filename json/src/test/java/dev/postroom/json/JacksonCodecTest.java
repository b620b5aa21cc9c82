package dev.postroom.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.postroom.PostroomException;
import dev.postroom.spi.PayloadCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R9")
class JacksonCodecTest {
    private final JacksonCodec codec = new JacksonCodec();

    record Order(String id, String buyer, Instant placedAt, Duration patience) {}

    private static final Order ORDER =
            new Order("42", "Zoë İnce", Instant.parse("2026-03-01T10:15:30.123456Z"), Duration.ofMinutes(5));

    @Test
    void is_found_on_the_class_path() {
        assertThat(ServiceLoader.load(PayloadCodec.class)).hasOnlyElementsOfType(JacksonCodec.class);
        assertThat(codec.contentType()).isEqualTo("application/json");
    }

    @Test
    void dates_are_iso_text_and_the_bytes_are_utf_8() {
        assertThat(new String(codec.encode(ORDER), UTF_8))
                .isEqualTo("{\"id\":\"42\",\"buyer\":\"Zoë İnce\",\"placedAt\":\"2026-03-01T10:15:30.123456Z\","
                        + "\"patience\":\"PT5M\"}");
    }

    @Test
    void what_was_encoded_decodes_to_the_same() {
        assertThat(codec.decode(codec.encode(ORDER), Order.class)).isEqualTo(ORDER);
    }

    @Test
    void a_property_that_a_newer_writer_added_is_let_pass() {
        byte[] newer = "{\"id\":\"42\",\"coupon\":\"SPRING\"}".getBytes(UTF_8);
        assertThat(codec.decode(newer, Order.class).id()).isEqualTo("42");
    }

    @Test
    void the_users_own_mapper_decides_how_classes_are_written() {
        ObjectMapper snakes = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build();
        record Line(int unitPrice) {}
        assertThat(new String(new JacksonCodec(snakes).encode(new Line(7)), UTF_8))
                .isEqualTo("{\"unit_price\":7}");
    }

    @Test
    void nothing_in_the_payload_chooses_a_class() {
        byte[] gadget = "{\"@class\":\"java.io.File\",\"value\":[\"java.util.ArrayList\",[]]}".getBytes(UTF_8);
        Object decoded = codec.decode(gadget, Object.class);
        assertThat(decoded).isExactlyInstanceOf(LinkedHashMap.class);
        assertThat(((Map<?, ?>) decoded).get("@class")).isEqualTo("java.io.File");
    }

    @Test
    void mapper_whose_payloads_choose_classes_is_refused() {
        ObjectMapper typing = JsonMapper.builder()
                .activateDefaultTyping(BasicPolymorphicTypeValidator.builder()
                        .allowIfBaseType(Object.class)
                        .build())
                .build();
        assertThatThrownBy(() -> new JacksonCodec(typing))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("default typing");
    }

    @Test
    void what_cannot_be_encoded_is_refused_with_its_class() {
        assertThatThrownBy(() -> codec.encode(new Object()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("java.lang.Object")
                .hasMessageContaining("No serializer");
    }

    record Item(int price) {}

    record Cart(List<Item> lines, Map<String, UUID> coupons) {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"lines\":[{\"price\":1},{\"price\":\"s3cret\"}]} | lines[1].price cannot be read as int (line 1, column",
                "{\"coupons\":{\"s3cret\":\"s3cret\"}} | coupons[*] cannot be read as java.util.UUID (line 1, column",
                "{\"lines\":s3cret} | cannot be read (line 1, column",
                "{\"lines\":[{\"price\":7},\"s3cret | cannot be read",
                "\"s3cret\" | it cannot be read as dev.postroom",
            })
    void what_is_not_json_for_the_class_is_refused_without_showing_the_payload(String payload, String trouble) {
        assertThatThrownBy(() -> codec.decode(payload.getBytes(UTF_8), Cart.class))
                .isInstanceOf(PostroomException.class)
                .hasMessageStartingWith("the payload is not JSON for " + Cart.class.getName() + ": ")
                .hasMessageContaining(trouble)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void null_is_refused() {
        assertThatThrownBy(() -> codec.decode("null".getBytes(UTF_8), Order.class))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("JSON null");
    }
}
