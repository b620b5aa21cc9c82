package dev.postroom.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** As an application may map the table that is open to it: the columns that others may write, and nothing else. */
@Entity
@Table(name = "postroom_message")
@SuppressWarnings({"UnusedVariable", "FieldCanBeFinal"}) // Hibernate reads them
class OutboxRow {
    @Id
    private UUID id = UUID.randomUUID();

    private @Nullable String tenant;

    private String topic = "orders";

    @Column(name = "ordering_key")
    private @Nullable String orderingKey;

    private @Nullable String type;

    @Column(name = "content_type")
    private @Nullable String contentType;

    @JdbcTypeCode(SqlTypes.JSON)
    private @Nullable String headers;

    private byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);

    @Column(name = "available_at")
    private @Nullable Instant availableAt;

    private @Nullable String source;

    OutboxRow() {}

    OutboxRow(@Nullable String orderingKey, @Nullable String headers) {
        this.orderingKey = orderingKey;
        this.headers = headers;
    }
}
