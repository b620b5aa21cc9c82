package dev.postroom.testkit;

import static dev.postroom.testkit.PostroomAssertions.assertThat;

import dev.postroom.Message;
import dev.postroom.MessageType;
import dev.postroom.TypeNames;
import dev.postroom.handler.Handlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Classes are renamed while messages wait. */
@Tag("R9")
class RenamedClassTest {
    @MessageType("order.created")
    record OrderCreated(String id) {}

    /** The same class, as the next version of the application calls it. */
    @MessageType(value = "order.placed", formerly = "order.created")
    record OrderPlaced(String id) {}

    record Parcel(String id) {}

    private final List<Object> handled = new ArrayList<>();

    private void publish(TestOutbox test, Object event) {
        test.outbox().publishInOwnTransaction(Message.to("orders").json(event));
    }

    @Test
    void message_is_stored_with_its_logical_name_and_never_with_that_of_a_class() {
        try (TestOutbox test = TestOutbox.configure()
                .outbox(outbox -> outbox.types(TypeNames.annotated().register(Parcel.class, "parcel.sent")))
                .build()) {
            publish(test, new OrderCreated("1"));
            publish(test, new Parcel("2"));
            publish(test, "3");
            test.outbox()
                    .publishInOwnTransaction(Message.to("orders").type("mine").json(new Parcel("4")));
            assertThat(test.outbox()).published().withType("order.created").withJson("id", "1");
            assertThat(test.outbox()).published().withType("parcel.sent").withJson("id", "2");
            assertThat(test.outbox()).published().withType("orders").withText("\"3\"");
            assertThat(test.outbox()).published().withType("mine").withJson("id", "4");
        }
    }

    @Test
    void renamed_class_gets_messages_that_were_stored_before() {
        Handlers handlers = Handlers.create().on(OrderPlaced.class, (order, delivery) -> handled.add(order));
        try (TestOutbox test =
                TestOutbox.configure().deliverTo("handlers", handlers).build()) {
            publish(test, new OrderCreated("1"));
            publish(test, new OrderPlaced("2"));
            test.drain();
            assertThat(handled).containsExactlyInAnyOrder(new OrderPlaced("1"), new OrderPlaced("2"));
        }
    }

    @Test
    void type_that_nobody_knows_is_held_and_says_so() {
        Handlers handlers = Handlers.create()
                .types(TypeNames.annotated().register(Parcel.class, "parcel.sent"))
                .on(Parcel.class, (parcel, delivery) -> handled.add(parcel));
        try (TestOutbox test =
                TestOutbox.configure().deliverTo("handlers", handlers).build()) {
            test.outbox()
                    .publishInOwnTransaction(
                            Message.to("orders").type(Parcel.class.getName()).json(new Parcel("1")));
            test.drain();
            assertThat(handled).isEmpty();
            assertThat(test.outbox()).remaining().withAttempts(0).once();
            assertThat(test.outbox()).deadLetters().times(0);
        }
    }
}
