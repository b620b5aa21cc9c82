package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which topics go where.
 *
 * @param topic A topic; one * stands for one word between dots, ** for any number of them.
 * @param destinations The names of the destinations.
 * @param onFailure What a failing message does to the later ones of its key.
 * @param expireAfter When a lone message that is never answered is given up; never, by default.
 * @param retry When failed deliveries are tried again.
 */
public record RouteProperties(
        @Nullable String topic,
        @DefaultValue List<String> destinations,
        @Nullable OnFailure onFailure,
        @Nullable Duration expireAfter,
        @Nullable RetryProperties retry) {

    Route route(String key, RetryPolicy otherwise) {
        if (topic == null || topic.isBlank()) {
            throw new PostroomException(key + ".topic is missing: say which topics it is for, ** for all");
        }
        if (destinations.isEmpty()) {
            throw new PostroomException(key + ".destinations is missing: say where its messages go");
        }
        Route route = Route.of(topic, destinations.toArray(String[]::new))
                .retry(retry == null ? otherwise : retry.policy(key + ".retry", otherwise));
        Route failing = onFailure == null ? route : route.onFailure(onFailure);
        return expireAfter == null ? failing : failing.expireAfter(expireAfter);
    }
}
