package dev.postroom.rabbitmq;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What consumers log about one queue, with their levels, while this is open. */
final class LoggedLines implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(RabbitMqInbox.class);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender;

    LoggedLines(String queue) {
        appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                String line = event.getLevel() + " " + event.getFormattedMessage();
                if (line.contains(queue)) {
                    lines.add(line);
                }
            }
        };
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    List<String> with(String word) {
        return lines.stream().filter(line -> line.contains(word)).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        appender.stop();
    }
}
