package dev.postroom.jdbc.contract;

import dev.postroom.testbed.Postgres;
import dev.postroom.testkit.contract.DatabaseUnderTest;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import dev.postroom.testkit.contract.FollowPagesContract;
import dev.postroom.testkit.contract.FollowStreamsContract;
import dev.postroom.testkit.contract.ForeignWriterContract;
import dev.postroom.testkit.contract.GrantsContract;
import dev.postroom.testkit.contract.LateCommitContract;
import dev.postroom.testkit.contract.MigrationContract;
import dev.postroom.testkit.contract.PublishFunctionContract;
import org.junit.jupiter.api.Nested;

/**
 * What of the contract the oldest PostgreSQL may answer differently: rights, search paths, functions and DDL. The rest runs there with
 * {@code ./postroom test --all}.
 */
class PostgresOldestContractTest implements DatabaseUnderTest.Given {
    private static final ContractDatabase DATABASE = ContractDatabase.of(Kind.POSTGRESQL, Postgres::oldest);

    @Override
    public DatabaseUnderTest database() {
        return DATABASE;
    }

    @Nested
    class LateCommit extends LateCommitContract {}

    @Nested
    class FollowPages extends FollowPagesContract {}

    @Nested
    class FollowStreams extends FollowStreamsContract {}

    @Nested
    class ForeignWriter extends ForeignWriterContract {}

    @Nested
    class Grants extends GrantsContract {}

    @Nested
    class Migration extends MigrationContract {}

    @Nested
    class PublishFunction extends PublishFunctionContract {}
}
