package dev.postroom.rabbitmq;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says of a queue that drops what was delivered in vain too often that it does, and how to keep that. */
record DropWarning(InboxSettings settings, String consumer) {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitMqInbox.class);

    void say(QueueTraits traits, BrokerVersion broker) {
        Long limit = traits.dropsAfter(broker);
        if (limit != null) {
            LOG.warn(
                    "INBOX_QUEUE_DROPS consumer={} queue={} limit={} why=\"this quorum queue drops what was delivered in vain"
                            + " more often, also what was only sent ahead to a consumer that died, unless a policy says"
                            + " otherwise, which a consumer cannot see\" do=\"{}\"",
                    consumer,
                    settings.queue(),
                    limit,
                    policy().replaceAll("\\p{Cntrl}", " "));
        }
    }

    /** The policy by which the broker puts them where our dead letters are. */
    String policy() {
        return "rabbitmqctl set_policy -p " + shell(settings.broker().virtualHost()) + " --apply-to queues "
                + shell("keep-" + settings.queue()) + " " + shell("^" + pattern(settings.queue()) + "$") + " "
                + shell("{\"dead-letter-exchange\":" + json(settings.deadLetterExchange())
                        + ",\"dead-letter-routing-key\":" + json(settings.deadLetterKey()) + "}");
    }

    private static String pattern(String name) {
        return name.replaceAll("[^A-Za-z0-9_-]", "\\\\$0");
    }

    private static String json(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String shell(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
