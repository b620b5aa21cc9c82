package dev.postroom.spring.test;

import dev.postroom.outbox.Outbox;
import dev.postroom.spring.boot.ConfiguredRelay;
import dev.postroom.spring.boot.PostroomAutoConfiguration;
import dev.postroom.testkit.TestOutbox;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The application's outbox, with a relay for tests around it. */
@AutoConfiguration(after = PostroomAutoConfiguration.class)
public class PostroomTestAutoConfiguration {

    @Bean
    TestOutbox postroomTestOutbox(Outbox outbox, ConfiguredRelay relay) {
        TestOutbox.Builder test = TestOutbox.configure()
                .in(relay.dataSource())
                .tables(relay.tables())
                .existing(outbox)
                .relays(relay::manual);
        relay.destinationNames()
                .forEach(name -> relay.handlers(name)
                        .ifPresentOrElse(handlers -> test.deliverTo(name, handlers), () -> test.deliverTo(name)));
        return test.build();
    }
}
