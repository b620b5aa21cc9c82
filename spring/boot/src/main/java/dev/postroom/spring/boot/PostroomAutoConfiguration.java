package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import dev.postroom.TypeNames;
import dev.postroom.inbox.Inbox;
import dev.postroom.operations.Readings;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.Tracing;
import dev.postroom.spi.Transport;
import dev.postroom.spring.OutboxEventListener;
import dev.postroom.spring.RelayLifecycle;
import dev.postroom.spring.SpringInbox;
import dev.postroom.spring.SpringOutbox;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/** An outbox on the application's data source, events that are written to it, and a relay if there is where to deliver to. */
@AutoConfiguration(
        afterName = {
            // Boot 3, Boot 4
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnBean(DataSource.class)
@EnableConfigurationProperties(PostroomProperties.class)
public class PostroomAutoConfiguration {

    /** After Flyway, Liquibase and schema.sql, which may be what makes the tables. */
    @Bean
    @DependsOnDatabaseInitialization
    PreparedDatabase postroomDatabase(
            @OutboxDataSource ObjectProvider<DataSource> marked,
            ObjectProvider<DataSource> any,
            PostroomProperties settings) {
        DataSource dataSource = marked.getIfAvailable(any::getIfUnique);
        if (dataSource == null) {
            throw new PostroomException(
                    "there are several data sources, and none says that the outbox is in it: mark its"
                            + " bean with @OutboxDataSource, or with @Primary");
        }
        return PreparedDatabase.prepare(dataSource, settings.database());
    }

    @Bean
    RelayBell postroomRelayBell() {
        return new RelayBell();
    }

    @Bean
    @ConditionalOnMissingBean
    Outbox postroomOutbox(
            PreparedDatabase database,
            PostroomProperties settings,
            RelayBell bell,
            ObjectProvider<PayloadCodec> codec,
            ObjectProvider<TypeNames> types,
            ObjectProvider<Tracing> tracing) {
        Outbox.Builder builder = SpringOutbox.configure(database.dataSource())
                .schema(settings.database().schema())
                .tablePrefix(settings.database().tablePrefix())
                .limits(settings.limits().limits())
                .compressionThreshold((int) Math.min(
                        Integer.MAX_VALUE, settings.compression().threshold().toBytes()))
                .dedupWindow(settings.dedupWindow())
                .source(settings.source())
                .onCommit(bell::ring);
        if (!database.isPrepared()) {
            builder.store(database.store());
        }
        codec.ifUnique(builder::codec);
        types.ifUnique(builder::types);
        tracing.ifUnique(builder::tracing);
        return builder.build();
    }

    /** One for all who want to know how the outbox is, so that they cost the database one reading a second together. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(Outbox.class)
    Readings postroomReadings(Outbox outbox, PostroomProperties settings) {
        return new Readings(outbox.store().operations(settings.admin().statementTimeout()));
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxEventListener postroomEventListener(ObjectProvider<Outbox> outbox) {
        return new OutboxEventListener(outbox::getObject);
    }

    @Bean
    @ConditionalOnMissingBean
    @Conditional(RelayWanted.class)
    RelayLifecycle postroomRelay(PreparedDatabase database, ConfiguredRelay configured, RelayBell bell) {
        RelayLifecycle relay = new RelayLifecycle(() -> {
            // Before any transport is opened: it is tried again and again while nobody answers.
            database.prepared();
            return configured.start();
        });
        bell.hangUpFor(relay);
        return relay;
    }

    /**
     * Only for who asks for it: it checks that the inbox can be written to, which the user of a mere producer may not do. Its
     * handlers run in transactions of the application's, so that what they write by JPA is part of them.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Inbox postroomInbox(
            PreparedDatabase database,
            PostroomProperties settings,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<Tracing> tracing) {
        return SpringInbox.configure(
                        database.dataSource(), managers.orderedStream().toList())
                .schema(settings.database().schema())
                .tablePrefix(settings.database().tablePrefix())
                .tracing(tracing.getIfUnique(() -> Tracing.NONE))
                .build();
    }

    /** Apart from the relay itself, which tests replace. Without either, nobody listens and nobody is to be made. */
    @Bean
    @Lazy
    ConfiguredRelay postroomConfiguredRelay(
            PreparedDatabase database,
            PostroomProperties settings,
            Map<String, Transport> transports,
            ObjectProvider<PayloadCodec> codec,
            ObjectProvider<RelayListener> listeners,
            ObjectProvider<Tracing> tracing,
            ObjectProvider<SslBundles> bundles) {
        RelayWatch watch = new RelayWatch(listeners.orderedStream().toList(), tracing.getIfUnique(() -> Tracing.NONE));
        return new ConfiguredRelay(
                database.dataSource(),
                settings,
                transports,
                codec.getIfUnique(),
                watch,
                new ConfiguredTls(bundles.getIfAvailable()));
    }
}
