package com.example.listeners4;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.stereotype.Component;

/** A message may come twice: real billing keeps the ids that it has handled, in the transaction of what it does. */
@Component
class Billing {
    record Bill(String event, OrderPlaced order) {}

    final List<Bill> fromKafka = new CopyOnWriteArrayList<>();
    final List<Bill> fromRabbitMq = new CopyOnWriteArrayList<>();

    // in docs/clients.md
    @KafkaListener(topics = "${billing.topic}")
    void kafka(@Payload OrderPlaced order, @Header("ce_id") String event) {
        fromKafka.add(new Bill(event, order));
    }

    @RabbitListener(
            bindings =
                    @QueueBinding(
                            value = @Queue(name = "${billing.queue}", durable = "true"),
                            exchange = @Exchange(name = "${billing.exchange}", type = "topic"),
                            key = "${billing.topic}"))
    void rabbitMq(@Payload OrderPlaced order, @Header("cloudEvents:id") String event) {
        fromRabbitMq.add(new Bill(event, order));
    }
    // until here
}
