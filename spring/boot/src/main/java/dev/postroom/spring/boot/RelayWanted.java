package dev.postroom.spring.boot;

import dev.postroom.spi.Transport;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether this application delivers: as it is told, or else if it has somewhere to deliver to. */
final class RelayWanted extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Binder binder = Binder.get(context.getEnvironment());
        Boolean told = binder.bind("postroom.relay.enabled", Boolean.class).orElse(null);
        if (told != null) {
            return new ConditionOutcome(told, "postroom.relay.enabled is " + told);
        }
        if (binder.bind("postroom.destinations", Bindable.mapOf(String.class, Object.class))
                .isBound()) {
            return ConditionOutcome.match("there are settings under postroom.destinations");
        }
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        boolean any = beans != null && beans.getBeanNamesForType(Transport.class, true, false).length > 0;
        return new ConditionOutcome(any, any ? "there is a Transport bean" : "there is nowhere to deliver to");
    }
}
