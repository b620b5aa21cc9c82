package dev.postroom.spring.boot;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The admin surface within this application. It follows the application's own security.
 *
 * @param enabled Whether there is one. Off by default.
 * @param path Where it is.
 * @param viewerRole The role of those who may look.
 * @param operatorRole The role of those who may look and change.
 * @param revealRole The role of those who may see what is redacted, beside one of the others.
 * @param statementTimeout How long the database may take to answer a question.
 */
public record AdminProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/postroom") String path,
        @DefaultValue("POSTROOM_VIEWER") String viewerRole,
        @DefaultValue("POSTROOM_OPERATOR") String operatorRole,
        @DefaultValue("POSTROOM_REVEAL") String revealRole,
        @DefaultValue("5s") Duration statementTimeout) {}
