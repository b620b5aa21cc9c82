package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Access;
import dev.postroom.admin.Admin;
import dev.postroom.admin.ApplicationAccess;
import dev.postroom.admin.Redaction;
import dev.postroom.operations.Readings;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

@Tag("R54")
@Tag("R55")
class ConfiguredAdminTest {
    private final StaticListableBeanFactory none = new StaticListableBeanFactory();

    @Test
    void settings_say_where_it_is_who_may_what_and_when_something_is_wrong() {
        PostroomProperties settings = new Binder(new MapConfigurationPropertySource(Map.of(
                        "postroom.admin.path", "/ops",
                        "postroom.admin.viewer-role", "LOOKS",
                        "postroom.admin.reveal-role", "REVEALS",
                        "postroom.admin.operator-role", "CHANGES",
                        "postroom.health.backlog.degraded", "50")))
                .bind("postroom", PostroomProperties.class)
                .get();
        DataSource dataSource = H2.freshDatabase().dataSource();
        Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
        try (Admin admin = new PostroomAdminAutoConfiguration()
                .postroomAdmin(
                        Outbox.on(dataSource),
                        settings,
                        none.getBeanProvider(Readings.class),
                        none.getBeanProvider(Access.class),
                        none.getBeanProvider(Redaction.class))) {
            Map<String, ?> inside = Inside.fields(admin);
            assertThat(inside.get("base")).isEqualTo("/ops");
            assertThat(Inside.fields(Objects.requireNonNull(inside.get("shown")))
                            .get("thresholds"))
                    .isEqualTo(settings.health().thresholds());
            assertThat(Inside.fields(Objects.requireNonNull(inside.get("desk"))).get("access"))
                    .isEqualTo(new ApplicationAccess("LOOKS", "CHANGES", "REVEALS"));
        }
    }
}
