package dev.postroom.jdbc.internal.postgresql;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.core.QueryExecutor;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * Ids on their way to the server. The driver sends arrays of them as text, and reading that text was a quarter of what
 * the server did to settle; it takes them in binary as well, when told so. Where the driver's own connection cannot be
 * reached (another driver, a wrapper that hides it), they travel as text.
 */
final class IdArray {
    private static final boolean DRIVER_IS_THERE = driverIsThere();

    private IdArray() {}

    static void bind(Connection connection, PreparedStatement statement, int index, List<UUID> ids)
            throws SQLException {
        if (DRIVER_IS_THERE && connection.isWrapperFor(BaseConnection.class)) {
            QueryExecutor driver = connection.unwrap(BaseConnection.class).getQueryExecutor();
            if (!driver.useBinaryForSend(Oid.UUID_ARRAY)) {
                driver.addBinarySendOid(Oid.UUID_ARRAY);
            }
            statement.setObject(index, new Binary(ids));
        } else {
            statement.setString(index, text(ids));
        }
    }

    private static boolean driverIsThere() {
        try {
            return BaseConnection.class.isInterface();
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    /** The array as the database writes it: the driver quotes and escapes every element, which ids do not need. */
    static String text(List<UUID> ids) {
        StringBuilder array = new StringBuilder(ids.size() * 37 + 2).append('{');
        for (UUID id : ids) {
            if (array.length() > 1) {
                array.append(',');
            }
            array.append(id);
        }
        return array.append('}').toString();
    }

    /** An array of one dimension in the server's own format. */
    @SuppressWarnings("serial") // the driver's class is serializable, this one never leaves its statement
    private static final class Binary extends PGobject implements PGBinaryObject {
        private static final int HEAD = 20;
        private static final int ELEMENT = 20;

        private final List<UUID> ids;

        Binary(List<UUID> ids) {
            this.ids = ids;
            setType("uuid[]");
        }

        @Override
        public int lengthInBytes() {
            return HEAD + ids.size() * ELEMENT;
        }

        @Override
        public void toBytes(byte[] bytes, int offset) {
            ByteBuffer array = ByteBuffer.wrap(bytes, offset, lengthInBytes());
            int dimensions = 1;
            int nulls = 0;
            int firstIndex = 1;
            array.putInt(dimensions)
                    .putInt(nulls)
                    .putInt(Oid.UUID)
                    .putInt(ids.size())
                    .putInt(firstIndex);
            for (UUID id : ids) {
                array.putInt(Long.BYTES * 2)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits());
            }
        }

        @Override
        public void setByteValue(byte[] value, int offset) {
            throw new UnsupportedOperationException("is only sent");
        }
    }
}
