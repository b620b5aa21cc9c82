package dev.postroom.admin.view;

import dev.postroom.operations.StorageFacts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The database and how the tables lie in it. */
public record DatabaseView(
        String product,
        int schemaVersion,
        List<StorageFacts.Table> tables,
        @Nullable Double oldestTransactionSeconds,
        @Nullable String oldestTransaction,
        List<StorageFacts.Partition> partitions) {

    public static DatabaseView of(String product, int schemaVersion, StorageFacts storage) {
        return new DatabaseView(
                product,
                schemaVersion,
                storage.tables(),
                storage.oldestTransactionSeconds(),
                storage.oldestTransaction(),
                storage.partitions());
    }
}
