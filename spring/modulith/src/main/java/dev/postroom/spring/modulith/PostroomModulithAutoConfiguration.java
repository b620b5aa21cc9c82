package dev.postroom.spring.modulith;

import dev.postroom.outbox.Outbox;
import dev.postroom.spring.boot.PostroomAutoConfiguration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;

/** The outbox is where Spring Modulith's externalized events go, unless its externalization is switched off. */
@AutoConfiguration(
        after = PostroomAutoConfiguration.class,
        afterName = "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration")
@ConditionalOnClass(EventExternalizationConfiguration.class)
@ConditionalOnProperty(
        name = "spring.modulith.events.externalization.enabled",
        havingValue = "true",
        matchIfMissing = true)
@ConditionalOnBean({EventExternalizationConfiguration.class, Outbox.class})
public class PostroomModulithAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    static ExternalizedEventListener postroomExternalizedEventListener(
            EventExternalizationConfiguration configuration,
            ObjectProvider<MessageRefinement> refinement,
            ObjectProvider<Outbox> outbox,
            BeanFactory beans) {
        MessageRefinement refined = (message, event) ->
                refinement.getIfAvailable(() -> MessageRefinement.NONE).refine(message, event);
        return new ExternalizedEventListener(
                new ExternalizedMessages(configuration, refined, beans), outbox::getObject);
    }

    @Bean
    static OnlyExternalizer postroomOnlyExternalizer(ListableBeanFactory beans) {
        return new OnlyExternalizer(beans);
    }
}
