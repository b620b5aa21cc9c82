package dev.postroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.spi.PayloadCodec;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R9")
class TypeNamesTest {
    @MessageType(value = "order.placed", formerly = "order.created")
    record Placed(String text) {}

    record Shipped(String text) {}

    static class Base {}

    @MessageType("")
    record Nameless() {}

    private static final TypeNames TYPES =
            TypeNames.annotated().register(Placed.class).register(Shipped.class, "order.shipped", "order.sent");

    private static final PayloadCodec TEXT = new PayloadCodec() {
        @Override
        public String contentType() {
            return "text/plain";
        }

        @Override
        public byte[] encode(Object value) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] payload, Class<T> type) {
            Object value = new Shipped(new String(payload, StandardCharsets.UTF_8));
            return type.cast(value);
        }
    };

    @Test
    void name_is_that_of_the_annotation_or_of_the_registration() {
        assertThat(TypeNames.annotated().nameOf(Placed.class)).isEqualTo("order.placed");
        assertThat(TYPES.nameOf(Shipped.class)).isEqualTo("order.shipped");
        assertThat(TYPES.namesOf(Placed.class)).containsExactly("order.placed", "order.created");
        assertThat(TypeNames.annotated().register(Placed.class, "other").nameOf(Placed.class))
                .isEqualTo("other");
    }

    @Test
    void class_without_a_name_has_none() {
        assertThat(TYPES.nameOf(String.class)).isNull();
        assertThatThrownBy(() -> TYPES.namesOf(String.class))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("@MessageType");
    }

    @Test
    void stored_messages_are_understood_by_their_name_and_former_names() {
        assertThat(TYPES.classOf("order.created")).isEqualTo(Placed.class);
        assertThat(TYPES.classOf("order.sent")).isEqualTo(Shipped.class);
        byte[] payload = "x".getBytes(StandardCharsets.UTF_8);
        assertThat(TYPES.decode("order.sent", payload, TEXT)).isEqualTo(new Shipped("x"));
    }

    @Test
    void unknown_type_is_an_error_and_never_loads_a_class() {
        for (String type : new String[] {"order.lost", Placed.class.getName(), "java.io.File"}) {
            assertThatThrownBy(() -> TYPES.classOf(type))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("'" + type + "'")
                    .hasMessageContaining("order.created, order.placed, order.sent, order.shipped");
        }
    }

    @Test
    void mistakes_are_refused() {
        assertThatThrownBy(() -> TYPES.register(Base.class, "order.sent"))
                .hasMessageContaining("'order.sent'")
                .hasMessageContaining("Shipped")
                .hasMessageContaining("Base");
        assertThatThrownBy(() -> TYPES.register(Shipped.class, "again")).hasMessageContaining("registered twice");
        assertThatThrownBy(() -> TYPES.register(Base.class, Base.class.getName()))
                .hasMessageContaining("is that of the class");
        assertThatThrownBy(() -> TYPES.nameOf(Nameless.class)).hasMessageContaining("is empty");
    }
}
