package dev.postroom.spring.modulith;

import dev.postroom.PostroomException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/** Refuses an application in which Modulith itself sends the events to a broker too: each would arrive twice. */
final class OnlyExternalizer implements SmartInitializingSingleton {
    /** What Modulith's modules for brokers register, before 2.1 and since. */
    private static final List<String> OTHERS = List.of(
            "org.springframework.modulith.events.support.EventExternalizationSupport",
            "org.springframework.modulith.events.support.EventExternalizerModuleListener");

    private final ListableBeanFactory beans;

    OnlyExternalizer(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> found = new TreeSet<>();
        for (String name : OTHERS) {
            ClassLoader loader = OnlyExternalizer.class.getClassLoader();
            if (ClassUtils.isPresent(name, loader)) {
                found.addAll(
                        List.of(beans.getBeanNamesForType(ClassUtils.resolveClassName(name, loader), true, false)));
            }
        }
        if (!found.isEmpty()) {
            throw new PostroomException("externalized events would be sent twice, through the outbox and by " + found
                    + ": remove Spring Modulith's module for that broker (spring-modulith-events-amqp, -kafka, …), and give"
                    + " the broker to the relay, as in postroom.destinations.out.type=rabbitmq. Or, to keep it instead, remove"
                    + " postroom-spring-modulith");
        }
    }
}
