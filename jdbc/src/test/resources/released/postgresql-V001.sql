SELECT set_config('search_path'::text, quote_ident(current_schema()::text) || ', pg_temp'::text, false);

-- Postroom schema, version 1, PostgreSQL 14 and newer.
-- The prefix postroom_ is replaced when another one is configured; the schema is the first of the search path.
-- A statement ends with a semicolon at the end of a line, a function's body with $body$;
--
-- Whoever may create in this schema can offer a function or an operator whose types match a call better than the server's own, and it
-- would run with the caller's rights. So every call below has exactly the types of the server's own, which is then found first; what
-- is resolved at run time (PL/pgSQL) names pg_catalog too.

CREATE TABLE postroom_schema (
    version    integer     NOT NULL PRIMARY KEY,
    script     text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- How the server that the rows were written on hashes text, and in which encoding: streams and lanes are made of that. A dump brings it along.
    hashing    bigint      NOT NULL DEFAULT hashtextextended(getdatabaseencoding()::text, 0::bigint)
);

-- One counter for all messages. CACHE 1: a session that kept numbers in reserve would hand them out late, and the
-- reading rule relies on a number being drawn after its transaction has an id.
CREATE SEQUENCE postroom_seq AS bigint CACHE 1;

-- The id of the stream (tenant, ordering_key): equal for all of its rows, whatever their topics. NULL without a key. Two streams may share one by
-- chance, and then wait for each other. RETURN binds what is called when the function is made: a body in quotes would be resolved anew with
-- the path of whoever inserts.
CREATE FUNCTION postroom_stream_of(tenant text, ordering_key text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN pg_catalog.hashtextextended(
        ordering_key, CASE WHEN tenant = ''::text THEN 0::bigint ELSE pg_catalog.hashtextextended(tenant, 0::bigint) END);

-- Which of 64 lanes a row belongs to: that of its stream, or of its id when it has none. A tenant other than '' is spread over 8 lanes of its
-- own choice: an odd step makes the 8 different. Bits are masked, never abs(), which fails at the smallest integer.
CREATE FUNCTION postroom_lane_of(tenant text, stream bigint, id uuid) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (CASE
        WHEN tenant = ''::text THEN coalesce(stream, pg_catalog.uuid_hash_extended(id, 0::bigint)) & 63::bigint
        ELSE
            ((pg_catalog.hashtextextended(tenant, 1::bigint) & 63::bigint)
                + (coalesce(stream, pg_catalog.uuid_hash_extended(id, 0::bigint)) & 7::bigint)
                * ((pg_catalog.hashtextextended(tenant, 2::bigint) & 63::bigint) | 1::bigint)) & 63::bigint
        END)::smallint;

CREATE TABLE postroom_message (
    -- tx before seq: columns are filled in this order, so a transaction has its id before it draws a number.
    tx               bigint      NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    seq              bigint      NOT NULL DEFAULT nextval('postroom_seq'::regclass),
    id               uuid        NOT NULL DEFAULT gen_random_uuid(),
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    available_at     timestamptz,
    retry_at         timestamptz,
    dead_at          timestamptz,
    failed_at        timestamptz,
    completed        bigint      NOT NULL DEFAULT 0,
    attempts         integer     NOT NULL DEFAULT 0,
    crashes          integer     NOT NULL DEFAULT 0,
    version          integer     NOT NULL DEFAULT 0,
    -- postroom_stream_of and postroom_lane_of the row. Postroom's writer computes them in its own statement, which is planned once; generated
    -- columns would be prepared for every INSERT anew. Triggers compute them for everybody else.
    stream           bigint,
    lane             smallint    NOT NULL,
    -- 0 ready, 1 delayed by its writer, 2 waiting for a retry, 3 dead
    state            smallint    NOT NULL GENERATED ALWAYS AS (
                         CASE WHEN dead_at IS NOT NULL THEN 3
                              WHEN retry_at IS NOT NULL THEN 2
                              WHEN available_at IS NOT NULL THEN 1
                              ELSE 0 END) STORED,
    released         boolean     NOT NULL DEFAULT false,
    -- false: a dead letter that does not hold its stream (policy SKIP)
    holds            boolean     NOT NULL DEFAULT true,
    -- true: written by Postroom's writer, which has checked the row and computed its lane
    trusted          boolean     NOT NULL DEFAULT false,
    tenant           text        COLLATE "C" NOT NULL DEFAULT '',
    topic            text        COLLATE "C" NOT NULL,
    ordering_key     text        COLLATE "C",
    type             text        COLLATE "C",
    content_type     text        NOT NULL DEFAULT 'application/json',
    content_encoding text,
    source           text,
    only_destination text,
    reason           text,
    error            text,
    headers          json,
    payload          bytea       NOT NULL,
    CONSTRAINT postroom_message_pkey PRIMARY KEY (id),
    -- Readers begin above 0: a row that a foreign writer numbers below would never be seen.
    CONSTRAINT postroom_message_counts CHECK (attempts >= 0 AND crashes >= 0 AND completed >= 0 AND seq > 0),
    CONSTRAINT postroom_message_sizes CHECK (
        length(topic) BETWEEN 1 AND 255
        AND length(tenant) <= 128
        AND (ordering_key IS NULL OR length(ordering_key) <= 512)
        AND (type IS NULL OR length(type) BETWEEN 1 AND 255)
        AND length(content_type) BETWEEN 1 AND 255
        AND (source IS NULL OR length(source) <= 255)),
    CONSTRAINT postroom_message_dead_has_reason CHECK (dead_at IS NULL OR reason IS NOT NULL)
) WITH (
    -- The table turns over constantly and stays small: vacuum by a fixed number of rows, not by a share of it.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 200000,
    autovacuum_vacuum_cost_delay = 0, toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000
);
ALTER TABLE postroom_message ALTER COLUMN payload SET STORAGE EXTERNAL;

-- Reading forward. Not unique: after a failover a sequence can repeat, and that must not fail a writer's transaction.
CREATE INDEX postroom_message_forward ON postroom_message (state, lane, seq);
-- Finding rows that committed late, by the transaction that wrote them; seq spares the visit to rows ahead of the cursor.
CREATE INDEX postroom_message_late ON postroom_message (tx, seq);
-- Nothing is due before the epoch: a foreign writer's -infinity is a place in the order like any other.
CREATE INDEX postroom_message_due ON postroom_message (lane, (greatest(coalesce(retry_at, available_at), 'epoch')), seq)
    WHERE state IN (1, 2);
-- A stream that fell behind is read along this one. What is in no order is not in it: failed rows that hold nobody, and released ones.
CREATE INDEX postroom_message_stream ON postroom_message (stream, seq)
    WHERE ordering_key IS NOT NULL AND holds AND NOT released;
-- What holds a stream: only what failed, so that a look for it wades through nothing else.
CREATE INDEX postroom_message_holders ON postroom_message (stream, seq)
    WHERE state >= 2 AND holds AND NOT released AND ordering_key IS NOT NULL;

-- Completes and checks what is not written by Postroom's writer: NULL is the default, as ORMs mean it, and a lane that somebody
-- gives is never believed. Whoever claims to be trusted could as well write into any stream.
CREATE FUNCTION postroom_complete() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
DECLARE
    kind text;
    header text;
BEGIN
    -- Without it there is no lane, and the error would be about that.
    IF NEW.topic IS NULL THEN
        RAISE EXCEPTION 'topic must be given (was NULL)'
            USING ERRCODE = 'not_null_violation', COLUMN = 'topic', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
    END IF;
    NEW.trusted := false;
    NEW.id := coalesce(NEW.id, pg_catalog.gen_random_uuid());
    NEW.tenant := coalesce(NEW.tenant, ''::text);
    NEW.content_type := coalesce(NEW.content_type, 'application/json'::text);
    NEW.stream := postroom_stream_of(NEW.tenant, NEW.ordering_key);
    NEW.lane := postroom_lane_of(NEW.tenant, NEW.stream, NEW.id);
    IF NEW.headers IS NOT NULL THEN
        kind := pg_catalog.json_typeof(NEW.headers);
        IF kind = 'null'::text THEN
            NEW.headers := NULL;
        ELSIF kind <> 'object'::text THEN
            RAISE EXCEPTION 'headers must be a JSON object of strings such as {"a": "b"}, or NULL (was JSON of type %)', kind
                USING ERRCODE = 'check_violation', COLUMN = 'headers', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
        ELSE
            SELECT h.key, pg_catalog.json_typeof(h.value) INTO header, kind FROM pg_catalog.json_each(NEW.headers) h
            WHERE pg_catalog.json_typeof(h.value) = 'object'::text OR pg_catalog.json_typeof(h.value) = 'array'::text LIMIT 1;
            IF FOUND THEN
                RAISE EXCEPTION 'headers must be a JSON object of strings such as {"a": "b"}: write the value of "%" as a string (was JSON of type %)',
                        pg_catalog.left(header, 60), kind
                    USING ERRCODE = 'check_violation', COLUMN = 'headers', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
            END IF;
        END IF;
    END IF;
    RETURN NEW;
END
$body$;
CREATE TRIGGER postroom_message_complete BEFORE INSERT ON postroom_message
    FOR EACH ROW WHEN (NEW.trusted IS NOT TRUE) EXECUTE FUNCTION postroom_complete();

-- A row that is given another key by hand belongs to another stream and lane. After the update, because a trigger before it would lock every
-- row that a relay updates once more, though relays never change these columns.
CREATE FUNCTION postroom_change_stream() RETURNS trigger
    LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
BEGIN
    UPDATE postroom_message m
    SET stream = postroom_stream_of(m.tenant, m.ordering_key),
        lane = postroom_lane_of(m.tenant, postroom_stream_of(m.tenant, m.ordering_key), m.id)
    WHERE m.id = NEW.id;
    RETURN NULL;
END
$body$;
CREATE TRIGGER postroom_message_change_stream AFTER UPDATE OF id, tenant, ordering_key, stream, lane ON postroom_message
    FOR EACH ROW WHEN (NEW.stream IS DISTINCT FROM postroom_stream_of(NEW.tenant, NEW.ordering_key)
        OR NEW.lane <> postroom_lane_of(NEW.tenant, postroom_stream_of(NEW.tenant, NEW.ordering_key), NEW.id))
    EXECUTE FUNCTION postroom_change_stream();

CREATE TABLE postroom_archive (
    archived_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    seq              bigint      NOT NULL,
    id               uuid        NOT NULL,
    created_at       timestamptz NOT NULL,
    available_at     timestamptz,
    attempts         integer     NOT NULL,
    crashes          integer     NOT NULL,
    lane             smallint    NOT NULL,
    -- 0 processed, 1 skipped
    outcome          smallint    NOT NULL CHECK (outcome IN (0, 1)),
    tenant           text        COLLATE "C" NOT NULL,
    topic            text        COLLATE "C" NOT NULL,
    ordering_key     text        COLLATE "C",
    type             text        COLLATE "C",
    content_type     text        NOT NULL,
    content_encoding text,
    source           text,
    reason           text,
    error            text,
    headers          json,
    payload          bytea       NOT NULL
) PARTITION BY RANGE (archived_at);
ALTER TABLE postroom_archive ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX postroom_archive_id ON postroom_archive (id);
CREATE INDEX postroom_archive_seq ON postroom_archive (seq);
-- Takes what no daily partition takes, so that settling never fails for want of one.
CREATE TABLE postroom_archive_default PARTITION OF postroom_archive DEFAULT;

CREATE TABLE postroom_attempt (
    message_id  uuid        NOT NULL,
    attempt     integer     NOT NULL,
    at          timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason      text        NOT NULL,
    error       text        NOT NULL,
    destination text,
    node        text
);
CREATE INDEX postroom_attempt_message ON postroom_attempt (message_id, at);
CREATE INDEX postroom_attempt_at ON postroom_attempt (at);

-- Which idempotency keys are taken; and, with an empty key and its own text as the tenant, which ids that writers chose.
CREATE TABLE postroom_dedup (
    tenant          text        COLLATE "C" NOT NULL,
    idempotency_key text        COLLATE "C" NOT NULL,
    message_id      uuid        NOT NULL,
    expires_at      timestamptz NOT NULL,
    CONSTRAINT postroom_dedup_pkey PRIMARY KEY (tenant, idempotency_key),
    CONSTRAINT postroom_dedup_sizes CHECK (length(tenant) <= 128 AND length(idempotency_key) <= 255
        AND (idempotency_key <> '' OR tenant = message_id::text))
);
CREATE INDEX postroom_dedup_expires ON postroom_dedup (expires_at);

CREATE TABLE postroom_lane (
    lane          smallint    NOT NULL PRIMARY KEY CHECK (lane BETWEEN 0 AND 63),
    owner         text,
    epoch         bigint      NOT NULL DEFAULT 0,
    lease_until   timestamptz,
    reserved_from bigint      NOT NULL DEFAULT 0,
    reserved_to   bigint      NOT NULL DEFAULT 0,
    -- What it was last taken for, see postroom_routing.
    routing       text        COLLATE "C",
    CONSTRAINT postroom_lane_owned CHECK ((owner IS NULL) = (lease_until IS NULL))
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);
INSERT INTO postroom_lane (lane) SELECT generate_series(0, 63);

CREATE TABLE postroom_node (
    node       text        NOT NULL PRIMARY KEY CHECK (length(node) BETWEEN 1 AND 128),
    host       text        NOT NULL,
    version    text        NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_seen  timestamptz NOT NULL DEFAULT clock_timestamp(),
    details    text        NOT NULL DEFAULT '{}' CHECK (length(details) <= 65536),
    routing    text        COLLATE "C" NOT NULL DEFAULT '',
    lease_ms   bigint      NOT NULL DEFAULT 0,
    -- After its first report; then its routes may take over.
    ripe_after_ms bigint      NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- The routings that relays have had. In force from its first lane on, until the last was taken for another; back in force, it has no end again.
CREATE TABLE postroom_routing (
    fingerprint   text        COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(fingerprint) BETWEEN 1 AND 64),
    routes        text        NOT NULL,
    first_seen    timestamptz NOT NULL DEFAULT clock_timestamp(),
    in_force_from timestamptz,
    in_force_to   timestamptz
);

-- Which bit of postroom_message.completed stands for which destination.
CREATE TABLE postroom_destination (
    bit  smallint NOT NULL PRIMARY KEY CHECK (bit BETWEEN 0 AND 62),
    name text     COLLATE "C" NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 128),
    -- When an operator last said that it is to go on: relays that hold it for failing everything try again.
    resumed_at timestamptz
);

CREATE TABLE postroom_pause (
    -- Exactly one row per target: everything is ('', ''), a destination (name, ''), a topic ('', topic).
    destination text        COLLATE "C" NOT NULL DEFAULT '',
    topic       text        COLLATE "C" NOT NULL DEFAULT '',
    since       timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor       text        NOT NULL,
    reason      text        NOT NULL,
    PRIMARY KEY (destination, topic),
    CONSTRAINT postroom_pause_one_target CHECK (destination = '' OR topic = '')
);

CREATE TABLE postroom_inbox (
    consumer   text        COLLATE "C" NOT NULL CHECK (length(consumer) BETWEEN 1 AND 128),
    message_id text        COLLATE "C" NOT NULL CHECK (length(message_id) BETWEEN 1 AND 255),
    handled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, message_id)
);
CREATE INDEX postroom_inbox_handled ON postroom_inbox (handled_at);

-- Relays and operators may add rows, and neither change nor remove them; the first three columns are the database's own to fill. A large
-- action is worked off in several transactions, each of which adds a row with its action_id; the first of them is part 0.
CREATE TABLE postroom_audit (
    seq       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Whom the database let in, where the actor is who somebody says to be.
    db_user   text        NOT NULL DEFAULT session_user,
    actor     text        NOT NULL,
    action_id uuid        NOT NULL DEFAULT gen_random_uuid(),
    part      integer     NOT NULL DEFAULT 0,
    action    text        NOT NULL,
    target    text        NOT NULL CHECK (length(target) <= 2000),
    reason    text        NOT NULL,
    matched   bigint      NOT NULL DEFAULT 0,
    changed   bigint      NOT NULL,
    failed    bigint      NOT NULL DEFAULT 0,
    old_state text        NOT NULL DEFAULT '' CHECK (length(old_state) <= 2000),
    new_state text        NOT NULL DEFAULT '' CHECK (length(new_state) <= 2000)
);
CREATE INDEX postroom_audit_at ON postroom_audit (at);
CREATE INDEX postroom_audit_action ON postroom_audit (action_id);

-- A payload as text that never fails: what is not UTF-8 is shown in base64.
CREATE FUNCTION postroom_text(payload bytea) RETURNS text
    LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    RETURN pg_catalog.convert_from(payload, 'UTF8'::name);
EXCEPTION WHEN OTHERS THEN
    RETURN 'base64:'::text || pg_catalog.encode(payload, 'base64'::text);
END
$body$;

CREATE VIEW postroom_readable AS
SELECT m.seq, m.id, m.tenant, m.topic, m.ordering_key, m.type,
       CASE WHEN m.state = 3 THEN 'dead'
            WHEN m.state IN (1, 2) AND coalesce(m.retry_at, m.available_at) > now() THEN 'scheduled'
            WHEN m.ordering_key IS NOT NULL AND NOT m.released AND EXISTS (
                SELECT 1 FROM postroom_message h
                WHERE h.stream = m.stream
                  AND h.tenant = m.tenant AND h.ordering_key = m.ordering_key AND h.seq < m.seq
                  AND h.state >= 2 AND h.holds AND NOT h.released AND h.ordering_key IS NOT NULL) THEN 'blocked'
            ELSE 'pending' END AS status,
       m.attempts, m.created_at, coalesce(m.retry_at, m.available_at) AS due_at, NULL::timestamptz AS processed_at,
       m.reason, m.error, m.content_type, m.content_encoding, m.headers,
       CASE WHEN m.content_encoding IS NULL THEN postroom_text(m.payload)
            ELSE 'base64:'::text || encode(m.payload, 'base64'::text) END AS payload
FROM postroom_message m
UNION ALL
SELECT a.seq, a.id, a.tenant, a.topic, a.ordering_key, a.type,
       CASE a.outcome WHEN 0 THEN 'processed' ELSE 'skipped' END,
       a.attempts, a.created_at, NULL, a.archived_at, a.reason, a.error, a.content_type, a.content_encoding, a.headers,
       CASE WHEN a.content_encoding IS NULL THEN postroom_text(a.payload)
            ELSE 'base64:'::text || encode(a.payload, 'base64'::text) END
FROM postroom_archive a;

-- Idempotent publish for writers in any language: SELECT * FROM postroom_publish(topic => …, payload => …);
-- The search path is pinned to this schema with pg_temp last, so that nobody's own tables take the place of these.
CREATE FUNCTION postroom_publish(
    topic text, payload bytea, key text DEFAULT NULL, type text DEFAULT NULL, tenant text DEFAULT '',
    idempotency_key text DEFAULT NULL, headers json DEFAULT NULL, content_type text DEFAULT 'application/json',
    available_at timestamptz DEFAULT NULL, source text DEFAULT NULL, dedup_window interval DEFAULT interval '7 days')
    RETURNS TABLE (id uuid, already_existed boolean) LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
#variable_conflict use_column
DECLARE
    new_id uuid := pg_catalog.gen_random_uuid();
    of_tenant text := coalesce(postroom_publish.tenant, ''::text);
    first_id uuid;
BEGIN
    IF postroom_publish.idempotency_key IS NOT NULL THEN
        INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at)
        VALUES (of_tenant, postroom_publish.idempotency_key, new_id,
                pg_catalog.clock_timestamp() + coalesce(postroom_publish.dedup_window, interval '7 days'))
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            SELECT d.message_id INTO first_id FROM postroom_dedup d
            WHERE d.tenant = of_tenant AND d.idempotency_key = postroom_publish.idempotency_key;
            RETURN QUERY SELECT first_id, true;
            RETURN;
        END IF;
    END IF;
    INSERT INTO postroom_message
        (id, tenant, topic, ordering_key, type, content_type, headers, payload, available_at, source)
    VALUES (new_id, of_tenant, postroom_publish.topic, postroom_publish.key, postroom_publish.type,
            postroom_publish.content_type, postroom_publish.headers, postroom_publish.payload,
            postroom_publish.available_at, postroom_publish.source);
    RETURN QUERY SELECT new_id, false;
END
$body$;

-- Daily archive partitions are made and dropped with the owner's rights, so that a relay needs none on the schema. The
-- lock timeout is short: while somebody reads the archive for long, the next round tries again, and settling goes on.
CREATE FUNCTION postroom_archive_prepare() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '200ms' SET timezone = 'UTC' AS $body$
DECLARE
    day date;
    partition_name text;
    made integer := 0;
BEGIN
    FOR i IN 0..7 LOOP
        day := pg_catalog.now()::date + i;
        partition_name := 'postroom_archive_p'::text || pg_catalog.to_char(day::timestamp, 'YYYYMMDD'::text);
        CONTINUE WHEN pg_catalog.to_regclass(partition_name) IS NOT NULL;
        BEGIN
            EXECUTE pg_catalog.format(
                'CREATE TABLE %I PARTITION OF postroom_archive FOR VALUES FROM (%L) TO (%L)'::text,
                partition_name, day::timestamptz, (day + 1)::timestamptz);
            made := made + 1;
        EXCEPTION
            -- Another node made it, somebody reads the archive, or the default partition took rows of that day already.
            WHEN lock_not_available OR duplicate_table OR check_violation THEN NULL;
        END;
    END LOOP;
    RETURN made;
END
$body$;

-- Drops the oldest partition that holds nothing younger than the cutoff; returns about how many rows went, -1 for none.
CREATE FUNCTION postroom_archive_drop(older_than interval) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '200ms' SET timezone = 'UTC' AS $body$
DECLARE
    oldest record;
BEGIN
    SELECT c.relname, greatest(c.reltuples, 0)::bigint AS rows INTO oldest
    FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'postroom_archive'::regclass::oid AND c.relname::text ~ '_p[0-9]{8}$'::text
      AND pg_catalog.to_date(pg_catalog.right(c.relname::text, 8), 'YYYYMMDD'::text) + 1
          <= pg_catalog.clock_timestamp() - older_than
    ORDER BY c.relname LIMIT 1;
    IF NOT FOUND THEN
        RETURN -1;
    END IF;
    EXECUTE pg_catalog.format('DROP TABLE %I'::text, oldest.relname);
    RETURN oldest.rows;
EXCEPTION WHEN lock_not_available OR undefined_table THEN
    RETURN -1;
END
$body$;

-- The only way for audit rows to go, with the owner's rights: up to so many, oldest first, and none that is younger than 30 days.
CREATE FUNCTION postroom_audit_purge(older_than interval, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $body$
DECLARE
    removed bigint;
BEGIN
    IF older_than IS NULL OR older_than < interval '30 days' THEN
        RAISE EXCEPTION 'the audit is kept for at least 30 days (asked for %): raise postroom.audit.retention', older_than;
    END IF;
    DELETE FROM postroom_audit a WHERE a.seq = ANY (ARRAY(
        SELECT o.seq FROM postroom_audit o WHERE o.at < pg_catalog.clock_timestamp() - older_than ORDER BY o.at LIMIT most));
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN removed;
END
$body$;
REVOKE ALL ON FUNCTION
    postroom_archive_prepare(), postroom_archive_drop(interval), postroom_audit_purge(interval, integer) FROM PUBLIC;

INSERT INTO postroom_schema (version, script) VALUES (1, 'V001__foundation.sql');
