package dev.postroom.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that breaks is the publisher's to report, once. Whatever else the library meets it logs itself. */
final class QuietExceptions extends ForgivingExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(QuietExceptions.class);

    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
        LOG.debug("connection broke", exception);
    }
}
