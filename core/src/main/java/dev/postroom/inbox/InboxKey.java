package dev.postroom.inbox;

import dev.postroom.PostroomException;

/** Whose message, and which. Refuses what the table would not take, before a transaction could break on it. */
record InboxKey(String consumer, String messageId) {
    private static final int CONSUMER_LENGTH = 128;
    private static final int ID_LENGTH = 255;

    InboxKey {
        check("consumer's name", consumer, CONSUMER_LENGTH);
        check("message id", messageId, ID_LENGTH);
    }

    private static void check(String what, String value, int most) {
        int length = value.codePointCount(0, value.length());
        if (length < 1 || length > most) {
            throw new PostroomException("a " + what + " has 1 to " + most + " characters (this has " + length
                    + "): give another, such as a hash of it");
        }
        value.codePoints().filter(InboxKey::isIllegal).findFirst().ifPresent(c -> {
            throw new PostroomException("a " + what + " cannot contain the character U+" + String.format("%04X", c)
                    + ": give another, such as a hash of it");
        });
    }

    /** A half surrogate pair becomes '?' on its way to the database, and two ids become one. */
    private static boolean isIllegal(int c) {
        return Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }
}
