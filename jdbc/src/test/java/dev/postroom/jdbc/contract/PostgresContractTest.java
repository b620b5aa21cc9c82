package dev.postroom.jdbc.contract;

import dev.postroom.testbed.Postgres;
import dev.postroom.testkit.contract.ArchiveContract;
import dev.postroom.testkit.contract.BesideWritersContract;
import dev.postroom.testkit.contract.ChangesContract;
import dev.postroom.testkit.contract.ConcurrentIdempotencyContract;
import dev.postroom.testkit.contract.ConcurrentInboxContract;
import dev.postroom.testkit.contract.DatabaseUnderTest;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import dev.postroom.testkit.contract.DueContract;
import dev.postroom.testkit.contract.ErasureContract;
import dev.postroom.testkit.contract.FailureContract;
import dev.postroom.testkit.contract.FollowPagesContract;
import dev.postroom.testkit.contract.FollowStreamsContract;
import dev.postroom.testkit.contract.ForeignWriterContract;
import dev.postroom.testkit.contract.GivenIdContract;
import dev.postroom.testkit.contract.GrantsContract;
import dev.postroom.testkit.contract.HoldersContract;
import dev.postroom.testkit.contract.HostileTimesContract;
import dev.postroom.testkit.contract.IdempotencyContract;
import dev.postroom.testkit.contract.InboxContract;
import dev.postroom.testkit.contract.LanesContract;
import dev.postroom.testkit.contract.LateCommitContract;
import dev.postroom.testkit.contract.LimitsContract;
import dev.postroom.testkit.contract.ListingContract;
import dev.postroom.testkit.contract.MigrationContract;
import dev.postroom.testkit.contract.NextVersionContract;
import dev.postroom.testkit.contract.NodesContract;
import dev.postroom.testkit.contract.OutboxContract;
import dev.postroom.testkit.contract.PauseContract;
import dev.postroom.testkit.contract.PublishFunctionContract;
import dev.postroom.testkit.contract.ReadOnlyContract;
import dev.postroom.testkit.contract.ReadingContract;
import dev.postroom.testkit.contract.ReleasedVersionsContract;
import dev.postroom.testkit.contract.RewoundSequenceContract;
import dev.postroom.testkit.contract.RolledBackTakerContract;
import dev.postroom.testkit.contract.RoutingContract;
import dev.postroom.testkit.contract.SerialisedWritersContract;
import dev.postroom.testkit.contract.StagingContract;
import dev.postroom.testkit.contract.SuccessContract;
import dev.postroom.testkit.contract.WritingContract;
import org.junit.jupiter.api.Nested;

/** The contract on PostgreSQL: the newest, and with {@code ./postroom test --all} every version. */
class PostgresContractTest implements DatabaseUnderTest.Given {
    private static final ContractDatabase DATABASE = ContractDatabase.of(Kind.POSTGRESQL, Postgres::newest);

    @Override
    public DatabaseUnderTest database() {
        return DATABASE;
    }

    @Nested
    class Archive extends ArchiveContract {}

    @Nested
    class BesideWriters extends BesideWritersContract {}

    @Nested
    class Changes extends ChangesContract {}

    @Nested
    class ConcurrentIdempotency extends ConcurrentIdempotencyContract {}

    @Nested
    class ConcurrentInbox extends ConcurrentInboxContract {}

    @Nested
    class Due extends DueContract {}

    @Nested
    class Erasure extends ErasureContract {}

    @Nested
    class Failure extends FailureContract {}

    @Nested
    class FollowPages extends FollowPagesContract {}

    @Nested
    class FollowStreams extends FollowStreamsContract {}

    @Nested
    class ForeignWriter extends ForeignWriterContract {}

    @Nested
    class Grants extends GrantsContract {}

    @Nested
    class Holders extends HoldersContract {}

    @Nested
    class HostileTimes extends HostileTimesContract {}

    @Nested
    class GivenId extends GivenIdContract {}

    @Nested
    class Idempotency extends IdempotencyContract {}

    @Nested
    class Inbox extends InboxContract {}

    @Nested
    class Lanes extends LanesContract {}

    @Nested
    class LateCommit extends LateCommitContract {}

    @Nested
    class Limits extends LimitsContract {}

    @Nested
    class Listing extends ListingContract {}

    @Nested
    class Migration extends MigrationContract {}

    @Nested
    class NextVersion extends NextVersionContract {}

    @Nested
    class Nodes extends NodesContract {}

    @Nested
    class Routings extends RoutingContract {}

    @Nested
    class Outbox extends OutboxContract {}

    @Nested
    class Pause extends PauseContract {}

    @Nested
    class PublishFunction extends PublishFunctionContract {}

    @Nested
    class ReadOnly extends ReadOnlyContract {}

    @Nested
    class Reading extends ReadingContract {}

    @Nested
    class ReleasedVersions extends ReleasedVersionsContract {}

    @Nested
    class RewoundSequence extends RewoundSequenceContract {}

    @Nested
    class RolledBackTaker extends RolledBackTakerContract {}

    @Nested
    class SerialisedWriters extends SerialisedWritersContract {}

    @Nested
    class Staging extends StagingContract {}

    @Nested
    class Success extends SuccessContract {}

    @Nested
    class Writing extends WritingContract {}
}
