package dev.postroom.admin;

import dev.postroom.operations.MessageDetail;

/** Takes out of a message what operators must not see, before it leaves the process. Thread-safe. */
@FunctionalInterface
public interface Redaction {
    /** Shows everything. */
    Redaction NONE = message -> message;

    MessageDetail apply(MessageDetail message);
}
