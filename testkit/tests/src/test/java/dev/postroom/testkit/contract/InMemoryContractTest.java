package dev.postroom.testkit.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The in-memory database keeps the contract of every store, with statements that go through its clock. All but the contracts
 * about migrations that were released and that are yet to come, which are about the files of the store's module.
 */
@Tag("R59")
class InMemoryContractTest implements DatabaseUnderTest.Given {
    private static final InMemoryUnderTest DATABASE = new InMemoryUnderTest();

    @Override
    public DatabaseUnderTest database() {
        return DATABASE;
    }

    @Nested
    class Archive extends ArchiveContract {}

    @Nested
    class Changes extends ChangesContract {}

    @Nested
    class ConcurrentIdempotency extends ConcurrentIdempotencyContract {}

    @Nested
    class ConcurrentInbox extends ConcurrentInboxContract {}

    @Nested
    class Due extends DueContract {}

    @Nested
    class Failure extends FailureContract {}

    @Nested
    class ForeignWriter extends ForeignWriterContract {}

    @Nested
    class Holders extends HoldersContract {}

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
    class Nodes extends NodesContract {}

    @Nested
    class Routings extends RoutingContract {}

    @Nested
    class Outbox extends OutboxContract {}

    @Nested
    class Pause extends PauseContract {}

    @Nested
    class Reading extends ReadingContract {}

    @Nested
    class RewoundSequence extends RewoundSequenceContract {}

    @Nested
    class SerialisedWriters extends SerialisedWritersContract {}

    @Nested
    class Staging extends StagingContract {}

    @Nested
    class Success extends SuccessContract {}

    @Nested
    class Writing extends WritingContract {}
}
