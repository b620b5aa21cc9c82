package dev.postroom.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.descriptor.java.JavaType;
import org.hibernate.type.format.FormatMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application that maps the table as an entity of its own writes NULL for whatever it does not set. */
@Tag("R13")
class OutboxRowTest {
    private enum Kind {
        POSTGRESQL,
        MARIADB,
        H2_MEMORY;

        TestDatabase fresh() {
            return switch (this) {
                case POSTGRESQL -> Postgres.newest().freshDatabase();
                case MARIADB -> MariaDb.newest().freshDatabase();
                case H2_MEMORY -> H2.freshDatabase();
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_entity_with_nothing_set_becomes_a_message(Kind kind) throws SQLException {
        TestDatabase database = migrated(kind);
        Outbox.on(database.dataSource())
                .publishInOwnTransaction(Message.to("orders").key("k"));
        try (SessionFactory factory = factory(database)) {
            factory.inTransaction(session -> {
                session.persist(new OutboxRow("k", null));
                session.persist(new OutboxRow("k", "{\"a\": \"b\"}"));
                session.persist(new OutboxRow("k", "null"));
            });
        }
        assertThat(value(
                        database,
                        "SELECT count(*) FROM postroom_message WHERE tenant = '' AND content_type LIKE '%/%'"))
                .isEqualTo("4");
        assertThat(value(database, "SELECT count(DISTINCT lane) FROM postroom_message"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource
    void headers_that_cannot_be_sent_fail_its_flush(Kind kind) {
        try (SessionFactory factory = factory(migrated(kind))) {
            assertThatThrownBy(() ->
                            factory.inTransaction(session -> session.persist(new OutboxRow(null, "{\"a\": [\"b\"]}"))))
                    .rootCause()
                    .message()
                    .matches("(?is).*headers.must.be.a.json.object.of.strings.*");
        }
    }

    private static TestDatabase migrated(Kind kind) {
        TestDatabase database = kind.fresh();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        return database;
    }

    private static SessionFactory factory(TestDatabase database) {
        Configuration configuration = new Configuration().addAnnotatedClass(OutboxRow.class);
        configuration.getProperties().put("hibernate.connection.datasource", database.dataSource());
        configuration.getProperties().put("hibernate.type.json_format_mapper", new JsonAsItIs());
        return configuration.buildSessionFactory();
    }

    /** The entity has JSON as text, and there is no Jackson here that would have written it. */
    private static final class JsonAsItIs implements FormatMapper {
        @Override
        public <T> T fromString(CharSequence json, JavaType<T> type, WrapperOptions options) {
            return type.wrap(json.toString(), options);
        }

        @Override
        public <T> String toString(T value, JavaType<T> type, WrapperOptions options) {
            return value.toString();
        }
    }

    private static String value(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
