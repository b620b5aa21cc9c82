package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.core.message.impl.BaseGenericBinaryMessageReaderImpl;
import io.cloudevents.core.message.impl.GenericStructuredMessageReader;
import io.cloudevents.core.message.impl.MessageUtils;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Reads what arrived with the official SDK. It has no binding for AMQP 0.9.1, only the machinery that its bindings are
 * made of, so this is the binding.
 */
final class AmqpEvents {
    private static final String PREFIX = "cloudEvents:";

    private AmqpEvents() {}

    static Received read(BasicProperties properties, byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>();
        properties.getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        MessageReader reader = MessageUtils.parseStructuredOrBinaryMessage(
                properties::getContentType,
                format -> new GenericStructuredMessageReader(format, body),
                () -> headers.get(PREFIX + "specversion"),
                version -> new Binary(version, properties.getContentType(), headers, body));
        CloudEvent event = reader.toEvent();
        headers.keySet().removeIf(name -> name.startsWith(PREFIX));
        return new Received(event, headers, properties.getContentEncoding());
    }

    private static final class Binary extends BaseGenericBinaryMessageReaderImpl<String, String> {
        private final String contentType;
        private final Map<String, String> headers;

        Binary(SpecVersion version, String contentType, Map<String, String> headers, byte[] body) {
            super(version, BytesCloudEventData.wrap(body));
            this.contentType = contentType;
            this.headers = Map.copyOf(headers);
        }

        @Override
        protected boolean isContentTypeHeader(String name) {
            return name.equals("content_type");
        }

        @Override
        protected boolean isCloudEventsHeader(String name) {
            return name.startsWith(PREFIX);
        }

        @Override
        protected String toCloudEventsKey(String name) {
            return name.substring(PREFIX.length());
        }

        @Override
        protected void forEachHeader(BiConsumer<String, String> each) {
            each.accept("content_type", contentType);
            headers.forEach(each);
        }

        @Override
        protected String toCloudEventsValue(String value) {
            return value;
        }
    }
}
