package dev.postroom.server.web;

import org.springframework.core.env.MutablePropertySources;
import org.springframework.web.context.support.StandardServletEnvironment;

/**
 * Knows neither environment variables nor system properties: this server has settings of its own, and a variable that was
 * meant for another program on Spring Boot must not open a port here.
 */
final class OwnEnvironment extends StandardServletEnvironment {

    @Override
    protected void customizePropertySources(MutablePropertySources sources) {
        // none
    }
}
