-- Postroom schema, version 1, MariaDB 10.6 and newer.
-- The prefix postroom_ is replaced when another one is configured; the database is the session's.
-- MariaDB commits every CREATE at once, so a migration may die halfway: every statement may be run again.
-- A statement ends with a semicolon at the end of a line, the procedure's with what DELIMITER says, as in MariaDB's client.
--
-- Text is compared byte by byte and without padding (utf8mb4_nopad_bin), or 'A', 'a' and 'a ' would be one key. Columns
-- are one character wider than their CHECK allows, because a session without strict mode cuts silently what is too long:
-- the check then sees that it was. Times are UTC; DATETIME, because TIMESTAMP depends on the session's time zone.

CREATE TABLE IF NOT EXISTS postroom_schema (
    version    INT          NOT NULL PRIMARY KEY,
    script     VARCHAR(255) NOT NULL,
    applied_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- A tenant and an id are hashed to lanes by CRC32, whose bits are a linear function of the text's: similar ones would crowd into
-- few lanes. Multiplied by 2654435761 (2^32 / golden ratio), its bits from 26 upwards depend on all of them.
CREATE TABLE IF NOT EXISTS postroom_message (
    seq              BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    -- VARCHAR, because a generated column must not depend on how CHAR is padded (sql_mode PAD_CHAR_TO_FULL_LENGTH).
    id               VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT (UUID()),
    created_at       DATETIME(6)  DEFAULT (UTC_TIMESTAMP(6)),
    available_at     DATETIME(6),
    retry_at         DATETIME(6),
    dead_at          DATETIME(6),
    failed_at        DATETIME(6),
    completed        BIGINT       DEFAULT 0,
    attempts         INT          DEFAULT 0,
    crashes          INT          DEFAULT 0,
    version          INT          DEFAULT 0,
    released         BOOLEAN      DEFAULT FALSE,
    -- false: a dead letter that does not hold its stream (policy SKIP)
    holds            BOOLEAN      DEFAULT TRUE,
    tenant           VARCHAR(129) DEFAULT '',
    topic            VARCHAR(256),
    ordering_key     VARCHAR(513),
    type             VARCHAR(256),
    content_type     VARCHAR(256) DEFAULT 'application/json',
    content_encoding VARCHAR(64),
    source           VARCHAR(256),
    only_destination VARCHAR(129),
    reason           VARCHAR(64),
    error            LONGTEXT,
    headers          LONGTEXT,
    payload          LONGBLOB,
    -- The id of the stream (tenant, ordering_key): equal for all of its rows, whatever their topics. NULL without a key. Two streams may
    -- share one by chance, and then wait for each other. The length keeps 'a' and 'bc' apart from 'ab' and 'c'.
    stream           BIGINT       GENERATED ALWAYS AS (CASE WHEN ordering_key IS NOT NULL
                         THEN CAST(CAST(CONV(LEFT(SHA2(CONCAT(CHAR_LENGTH(tenant), _utf8mb4':', tenant, ordering_key), 256), 16), 16, 10)
                             AS UNSIGNED) AS SIGNED) END) STORED,
    -- Which of 64 lanes the row belongs to: that of its stream, or of its id when it has none. A tenant other than '' is spread over 8 lanes
    -- of its own choice: an odd step makes the 8 different.
    lane             TINYINT      GENERATED ALWAYS AS (CASE
                         WHEN tenant = '' THEN
                             CASE WHEN ordering_key IS NULL THEN CRC32(id) * 2654435761 >> 26 & 63 ELSE stream & 63 END
                         ELSE
                             (CRC32(tenant) * 2654435761 >> 26 & 63)
                                 + (CASE WHEN ordering_key IS NULL THEN CRC32(id) * 2654435761 >> 26 & 7 ELSE stream & 7 END)
                                 * (CRC32(tenant) * 2654435761 >> 32 & 63 | 1)
                             & 63
                         END) STORED,
    -- 0 ready, 1 delayed by its writer, 2 waiting for a retry, 3 dead
    state            TINYINT      GENERATED ALWAYS AS (CASE
                         WHEN dead_at IS NOT NULL THEN 3
                         WHEN retry_at IS NOT NULL THEN 2
                         WHEN available_at IS NOT NULL THEN 1
                         ELSE 0 END) STORED,
    -- What it is to later rows of its stream: 0 ready, 1 holds them, 2 nothing any more, 3 delayed. Lets one index find a stream's nearest
    -- ready row, its holders, and those of all streams, without wading through the others.
    standing         TINYINT      GENERATED ALWAYS AS (CASE
                         WHEN dead_at IS NULL AND retry_at IS NULL AND available_at IS NULL THEN 0
                         WHEN (dead_at IS NOT NULL OR retry_at IS NOT NULL) AND holds AND NOT released
                             AND ordering_key IS NOT NULL THEN 1
                         WHEN dead_at IS NOT NULL OR retry_at IS NOT NULL THEN 2
                         ELSE 3 END) STORED,
    -- The lane of a row that is read by due time, NULL for the others: keeps them together in the index, out of the way.
    due_lane         TINYINT      GENERATED ALWAYS AS (CASE
                         WHEN dead_at IS NULL AND (retry_at IS NOT NULL OR available_at IS NOT NULL) THEN lane
                         END) STORED,
    -- Nothing is due before the epoch: a foreign writer's 0000-00-00 is a place in the order like any other.
    due              DATETIME(6)  GENERATED ALWAYS AS (CASE
                         WHEN dead_at IS NULL
                         THEN GREATEST(COALESCE(retry_at, available_at), TIMESTAMP'1970-01-01 00:00:00') END) STORED,
    -- Indexes have no prefix, because statements name them: MariaDB's optimizer guesses wrong on a table that was empty.
    UNIQUE KEY id (id),
    KEY forward (state, lane, seq),
    KEY due (due_lane, due, seq),
    KEY stream (standing, stream, seq),
    -- In place of NOT NULL: with a trigger before it, an INSERT … SELECT of several rows fails for every such column (seen with 11.4.5).
    CONSTRAINT postroom_message_given CHECK (
        id IS NOT NULL AND created_at IS NOT NULL AND completed IS NOT NULL AND attempts IS NOT NULL AND crashes IS NOT NULL
        AND version IS NOT NULL AND released IS NOT NULL AND holds IS NOT NULL AND tenant IS NOT NULL AND topic IS NOT NULL
        AND content_type IS NOT NULL AND payload IS NOT NULL),
    CONSTRAINT postroom_message_counts CHECK (attempts >= 0 AND crashes >= 0 AND completed >= 0),
    CONSTRAINT postroom_message_sizes CHECK (
        -- Readers expect no other text; the databases that have a type for it refuse others too.
        id REGEXP '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
        AND CHAR_LENGTH(topic) BETWEEN 1 AND 255
        AND CHAR_LENGTH(tenant) <= 128
        AND (ordering_key IS NULL OR CHAR_LENGTH(ordering_key) <= 512)
        AND (type IS NULL OR CHAR_LENGTH(type) BETWEEN 1 AND 255)
        AND CHAR_LENGTH(content_type) BETWEEN 1 AND 255
        AND (source IS NULL OR CHAR_LENGTH(source) <= 255)),
    CONSTRAINT postroom_message_headers CHECK (headers IS NULL OR JSON_VALID(headers)),
    CONSTRAINT postroom_message_dead_has_reason CHECK (dead_at IS NULL OR reason IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Completes and checks what other writers write: NULL is the default, as ORMs mean it. Headers are searched for what is nested by what
-- is left without their texts, after what is escaped in these; by CHAR, because some sessions take a backslash as it is.
DELIMITER //
CREATE OR REPLACE TRIGGER postroom_message_complete BEFORE INSERT ON postroom_message FOR EACH ROW
BEGIN
    DECLARE without_escapes LONGTEXT CHARACTER SET utf8mb4;
    IF NEW.topic IS NULL THEN
        SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 1048, MESSAGE_TEXT = 'Column ''topic'' must be given (was NULL)';
    END IF;
    IF NEW.payload IS NULL THEN
        SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 1048, MESSAGE_TEXT = 'Column ''payload'' must be given (was NULL)';
    END IF;
    IF NEW.id IS NULL THEN
        SET NEW.id = UUID();
    END IF;
    IF NEW.tenant IS NULL THEN
        SET NEW.tenant = '';
    END IF;
    IF NEW.content_type IS NULL THEN
        SET NEW.content_type = 'application/json';
    END IF;
    IF NEW.headers IS NOT NULL THEN
        IF JSON_TYPE(NEW.headers) = 'NULL' THEN
            SET NEW.headers = NULL;
        ELSE
            SET without_escapes =
                REPLACE(REPLACE(NEW.headers, CHAR(92, 92 USING utf8mb4), ''), CHAR(92, 34 USING utf8mb4), '');
            -- Possessive, so that it is tried once: REGEXP_REPLACE takes half a minute for forty thousand headers.
            IF NOT JSON_VALID(NEW.headers)
                OR NOT without_escapes RLIKE '^[[:space:]]*+[{](?>[^]["{}]++|"[^"]*+")*+[}][[:space:]]*+$' THEN
                SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 4025, MESSAGE_TEXT =
                    'headers must be a JSON object of strings such as {"a": "b"}, or NULL: write what is nested as a string';
            END IF;
        END IF;
    END IF;
END //
DELIMITER ;

-- One plain table: it is purged by archived_at in bounded batches.
CREATE TABLE IF NOT EXISTS postroom_archive (
    archived_at      DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    seq              BIGINT       NOT NULL,
    id               VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
    created_at       DATETIME(6)  NOT NULL,
    available_at     DATETIME(6),
    attempts         INT          NOT NULL,
    crashes          INT          NOT NULL,
    lane             TINYINT      NOT NULL,
    -- 0 processed, 1 skipped
    outcome          TINYINT      NOT NULL CHECK (outcome IN (0, 1)),
    tenant           VARCHAR(129) NOT NULL,
    topic            VARCHAR(256) NOT NULL,
    ordering_key     VARCHAR(513),
    type             VARCHAR(256),
    content_type     VARCHAR(256) NOT NULL,
    content_encoding VARCHAR(64),
    source           VARCHAR(256),
    reason           VARCHAR(64),
    error            LONGTEXT,
    headers          LONGTEXT,
    payload          LONGBLOB     NOT NULL,
    KEY id (id),
    KEY seq (seq),
    KEY at (archived_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS postroom_attempt (
    message_id  VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
    attempt     INT          NOT NULL,
    at          DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    reason      VARCHAR(64)  NOT NULL,
    error       LONGTEXT     NOT NULL,
    destination VARCHAR(129),
    node        VARCHAR(129),
    KEY message (message_id, at),
    KEY at (at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Which idempotency keys are taken; and, with an empty key and its own text as the tenant, which ids that writers chose.
CREATE TABLE IF NOT EXISTS postroom_dedup (
    tenant          VARCHAR(129) NOT NULL,
    idempotency_key VARCHAR(256) NOT NULL,
    message_id      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
    expires_at      DATETIME(6)  NOT NULL,
    -- How often the key came again: one statement takes a key or raises this, and so learns which of the two happened.
    repeats         INT          NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, idempotency_key),
    KEY expires (expires_at),
    CONSTRAINT postroom_dedup_sizes CHECK (
        CHAR_LENGTH(tenant) <= 128 AND CHAR_LENGTH(idempotency_key) <= 255
        AND (idempotency_key <> '' OR tenant = CONVERT(message_id USING utf8mb4)))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS postroom_lane (
    lane          TINYINT      NOT NULL PRIMARY KEY CHECK (lane BETWEEN 0 AND 63),
    owner         VARCHAR(129),
    epoch         BIGINT       NOT NULL DEFAULT 0,
    lease_until   DATETIME(6),
    reserved_from BIGINT       NOT NULL DEFAULT 0,
    reserved_to   BIGINT       NOT NULL DEFAULT 0,
    -- What it was last taken for, see postroom_routing.
    routing       VARCHAR(64),
    CONSTRAINT postroom_lane_owned CHECK ((owner IS NULL) = (lease_until IS NULL))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
INSERT IGNORE INTO postroom_lane (lane) VALUES
    (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30), (31),
    (32), (33), (34), (35), (36), (37), (38), (39), (40), (41), (42), (43), (44), (45), (46), (47),
    (48), (49), (50), (51), (52), (53), (54), (55), (56), (57), (58), (59), (60), (61), (62), (63);

CREATE TABLE IF NOT EXISTS postroom_node (
    node       VARCHAR(129) NOT NULL PRIMARY KEY CHECK (CHAR_LENGTH(node) BETWEEN 1 AND 128),
    host       VARCHAR(255) NOT NULL,
    version    VARCHAR(64)  NOT NULL,
    started_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    last_seen  DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    details    LONGTEXT     NOT NULL DEFAULT '{}' CHECK (CHAR_LENGTH(details) <= 65536),
    routing    VARCHAR(64)  NOT NULL DEFAULT '',
    lease_ms   BIGINT       NOT NULL DEFAULT 0,
    -- After its first report; then its routes may take over.
    ripe_after_ms BIGINT       NOT NULL DEFAULT 0
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The routings that relays have had. In force from its first lane on, until the last was taken for another; back in force, it has no end again.
CREATE TABLE IF NOT EXISTS postroom_routing (
    fingerprint   VARCHAR(64) NOT NULL PRIMARY KEY CHECK (CHAR_LENGTH(fingerprint) BETWEEN 1 AND 64),
    routes        LONGTEXT    NOT NULL,
    first_seen    DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    in_force_from DATETIME(6),
    in_force_to   DATETIME(6)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Which bit of postroom_message.completed stands for which destination.
CREATE TABLE IF NOT EXISTS postroom_destination (
    bit  TINYINT      NOT NULL PRIMARY KEY CHECK (bit BETWEEN 0 AND 62),
    name VARCHAR(129) NOT NULL CHECK (CHAR_LENGTH(name) BETWEEN 1 AND 128),
    -- When an operator last said that it is to go on: relays that hold it for failing everything try again.
    resumed_at DATETIME(6),
    UNIQUE KEY name (name)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS postroom_pause (
    -- Exactly one row per target: everything is ('', ''), a destination (name, ''), a topic ('', topic).
    destination VARCHAR(129) NOT NULL DEFAULT '',
    topic       VARCHAR(256) NOT NULL DEFAULT '',
    since       DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    actor       VARCHAR(255) NOT NULL,
    reason      TEXT         NOT NULL,
    PRIMARY KEY (destination, topic),
    CONSTRAINT postroom_pause_one_target CHECK (destination = '' OR topic = '')
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

CREATE TABLE IF NOT EXISTS postroom_inbox (
    consumer   VARCHAR(129) NOT NULL CHECK (CHAR_LENGTH(consumer) BETWEEN 1 AND 128),
    message_id VARCHAR(256) NOT NULL CHECK (CHAR_LENGTH(message_id) BETWEEN 1 AND 255),
    handled_at DATETIME(6)  NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    PRIMARY KEY (consumer, message_id),
    KEY handled (handled_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- Relays and operators may add rows, and neither change nor remove them; the first three columns are the database's own to fill. A large
-- action is worked off in several transactions, each of which adds a row with its action_id; the first of them is part 0.
CREATE TABLE IF NOT EXISTS postroom_audit (
    seq       BIGINT        NOT NULL AUTO_INCREMENT PRIMARY KEY,
    at        DATETIME(6)   NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    -- Whom the database let in, and from where; the actor is who somebody says to be.
    db_user   VARCHAR(384)  NOT NULL DEFAULT (USER()),
    actor     VARCHAR(255)  NOT NULL,
    action_id VARCHAR(36)   CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL DEFAULT (UUID()),
    part      INT           NOT NULL DEFAULT 0,
    action    VARCHAR(64)   NOT NULL,
    target    VARCHAR(2001) NOT NULL CHECK (CHAR_LENGTH(target) <= 2000),
    reason    TEXT          NOT NULL,
    matched   BIGINT        NOT NULL DEFAULT 0,
    changed   BIGINT        NOT NULL,
    failed    BIGINT        NOT NULL DEFAULT 0,
    old_state VARCHAR(2001) NOT NULL DEFAULT '' CHECK (CHAR_LENGTH(old_state) <= 2000),
    new_state VARCHAR(2001) NOT NULL DEFAULT '' CHECK (CHAR_LENGTH(new_state) <= 2000),
    KEY at (at),
    KEY action (action_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;

-- The payload is text when it survives the way there and back, else base64: this never fails, whatever the bytes.
CREATE OR REPLACE SQL SECURITY INVOKER VIEW postroom_readable AS
SELECT m.seq, m.id, m.tenant, m.topic, m.ordering_key, m.type,
       CASE WHEN m.state = 3 THEN 'dead'
            WHEN m.state IN (1, 2) AND m.due > UTC_TIMESTAMP(6) THEN 'scheduled'
            WHEN m.ordering_key IS NOT NULL AND NOT m.released AND EXISTS (
                SELECT 1 FROM postroom_message h FORCE INDEX (stream)
                WHERE h.stream = m.stream AND h.standing = 1 AND h.seq < m.seq
                  AND h.tenant = m.tenant AND h.ordering_key = m.ordering_key) THEN 'blocked'
            ELSE 'pending' END AS status,
       m.attempts, m.created_at, COALESCE(m.retry_at, m.available_at) AS due_at,
       CAST(NULL AS DATETIME(6)) AS processed_at,
       m.reason, m.error, m.content_type, m.content_encoding, m.headers,
       CASE WHEN m.content_encoding IS NULL AND CAST(CONVERT(m.payload USING utf8mb4) AS BINARY) = m.payload
            THEN CONVERT(m.payload USING utf8mb4)
            ELSE CONCAT('base64:', TO_BASE64(m.payload)) END AS payload
FROM postroom_message m
UNION ALL
SELECT a.seq, a.id, a.tenant, a.topic, a.ordering_key, a.type,
       CASE a.outcome WHEN 0 THEN 'processed' ELSE 'skipped' END,
       a.attempts, a.created_at, NULL, a.archived_at, a.reason, a.error, a.content_type, a.content_encoding, a.headers,
       CASE WHEN a.content_encoding IS NULL AND CAST(CONVERT(a.payload USING utf8mb4) AS BINARY) = a.payload
            THEN CONVERT(a.payload USING utf8mb4)
            ELSE CONCAT('base64:', TO_BASE64(a.payload)) END
FROM postroom_archive a;

-- Idempotent publish for writers in any language. MariaDB has neither named nor optional arguments: give NULL for what
-- you do not need.
--   CALL postroom_publish('orders.created', '{"id":7}', '42', NULL, NULL, 'order-7', NULL, NULL, NULL, NULL, NULL,
--                         @id, @already_existed);
DELIMITER //
CREATE OR REPLACE PROCEDURE postroom_publish(
    IN in_topic VARCHAR(256) CHARACTER SET utf8mb4, IN in_payload LONGBLOB,
    IN in_key VARCHAR(513) CHARACTER SET utf8mb4, IN in_type VARCHAR(256) CHARACTER SET utf8mb4,
    IN in_tenant VARCHAR(129) CHARACTER SET utf8mb4, IN in_idempotency_key VARCHAR(256) CHARACTER SET utf8mb4,
    IN in_headers LONGTEXT CHARACTER SET utf8mb4, IN in_content_type VARCHAR(256) CHARACTER SET utf8mb4,
    IN in_available_at DATETIME(6), IN in_source VARCHAR(256) CHARACTER SET utf8mb4, IN in_dedup_seconds BIGINT,
    OUT out_id VARCHAR(36) CHARACTER SET ascii, OUT out_already_existed BOOLEAN)
    SQL SECURITY INVOKER MODIFIES SQL DATA
BEGIN
    DECLARE gate VARCHAR(64) CHARACTER SET ascii;
    SET out_id = UUID();
    SET out_already_existed = FALSE;
    IF in_idempotency_key IS NOT NULL THEN
        BEGIN
            -- Somebody else is taking the key: of those who wait for it only one may do so inside InnoDB, or all but one
            -- would lose their transactions to a deadlock if that one rolls back. Where the server has undone the
            -- transaction already, there is nothing to go on with.
            DECLARE CONTINUE HANDLER FOR 1205
            BEGIN
                SET gate = CONCAT('postroom:', SHA1(CONCAT_WS(':', DATABASE(), 'postroom_dedup',
                                                              COALESCE(in_tenant, ''), in_idempotency_key)));
                IF @@innodb_rollback_on_timeout OR COALESCE(GET_LOCK(gate, @@innodb_lock_wait_timeout), 0) = 0 THEN
                    RESIGNAL;
                END IF;
                BEGIN
                    DECLARE EXIT HANDLER FOR SQLEXCEPTION
                    BEGIN
                        DO RELEASE_LOCK(gate);
                        RESIGNAL;
                    END;
                    INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
                    VALUES (COALESCE(in_tenant, ''), in_idempotency_key, out_id,
                            UTC_TIMESTAMP(6) + INTERVAL COALESCE(in_dedup_seconds, 604800) SECOND)
                    ON DUPLICATE KEY UPDATE repeats = repeats + 1;
                END;
                DO RELEASE_LOCK(gate);
            END;
            SET STATEMENT innodb_lock_wait_timeout = IF(@@innodb_rollback_on_timeout, @@innodb_lock_wait_timeout, 0) FOR
            INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
            VALUES (COALESCE(in_tenant, ''), in_idempotency_key, out_id,
                    UTC_TIMESTAMP(6) + INTERVAL COALESCE(in_dedup_seconds, 604800) SECOND)
            ON DUPLICATE KEY UPDATE repeats = repeats + 1;
        END;
        -- A locking read: at REPEATABLE READ a plain one would not see a key that was taken after the snapshot.
        SELECT d.message_id, d.repeats > 0 INTO out_id, out_already_existed FROM postroom_dedup d
        WHERE d.tenant = COALESCE(in_tenant, '') AND d.idempotency_key = in_idempotency_key FOR UPDATE;
    END IF;
    IF NOT out_already_existed THEN
        INSERT INTO postroom_message
            (id, tenant, topic, ordering_key, type, content_type, headers, payload, available_at, source)
        VALUES (out_id, COALESCE(in_tenant, ''), in_topic, in_key, in_type,
                COALESCE(in_content_type, 'application/json'), in_headers, in_payload, in_available_at, in_source);
    END IF;
END //

-- The only way for audit rows to go, with the rights of whoever migrated: up to so many, oldest first, and none that is younger than 30
-- days. Returns how many went.
CREATE OR REPLACE PROCEDURE postroom_audit_purge(IN in_seconds BIGINT, IN in_most INT)
    SQL SECURITY DEFINER MODIFIES SQL DATA
BEGIN
    IF COALESCE(in_seconds, 0) < 2592000 THEN
        SIGNAL SQLSTATE '45000'
            SET MESSAGE_TEXT = 'the audit is kept for at least 30 days: raise postroom.audit.retention';
    END IF;
    DELETE FROM postroom_audit WHERE at < UTC_TIMESTAMP(6) - INTERVAL in_seconds SECOND ORDER BY at LIMIT in_most;
    SELECT ROW_COUNT() AS removed;
END //
DELIMITER ;
