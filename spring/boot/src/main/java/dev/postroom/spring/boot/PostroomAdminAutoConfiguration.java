package dev.postroom.spring.boot;

import dev.postroom.admin.Access;
import dev.postroom.admin.Admin;
import dev.postroom.admin.ApplicationAccess;
import dev.postroom.admin.Redaction;
import dev.postroom.admin.RedactionRules;
import dev.postroom.operations.Readings;
import dev.postroom.outbox.Outbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** REST and page within the application, if it was asked for. Who may use it is for the application's security to say. */
@AutoConfiguration(after = PostroomAutoConfiguration.class)
@ConditionalOnClass({Admin.class, RouterFunction.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(prefix = "postroom.admin", name = "enabled", havingValue = "true")
@ConditionalOnSingleCandidate(Outbox.class)
public class PostroomAdminAutoConfiguration {

    @Bean(initMethod = "start", destroyMethod = "close")
    @ConditionalOnMissingBean
    Admin postroomAdmin(
            Outbox outbox,
            PostroomProperties settings,
            ObjectProvider<Readings> readings,
            ObjectProvider<Access> access,
            ObjectProvider<Redaction> redaction) {
        AdminProperties admin = settings.admin();
        Admin.Builder builder = Admin.on(outbox.store())
                .at(admin.path())
                .access(access.getIfUnique(
                        () -> new ApplicationAccess(admin.viewerRole(), admin.operatorRole(), admin.revealRole())))
                .statementTimeout(admin.statementTimeout())
                .health(settings.health().thresholds());
        readings.ifUnique(builder::readings);
        builder.redaction(redaction.getIfUnique(() ->
                RedactionRules.of(settings.redact().headers(), settings.redact().jsonPaths())));
        return builder.build();
    }

    @Bean
    RouterFunction<ServerResponse> postroomAdminRoutes(Admin admin) {
        return admin.routes();
    }
}
