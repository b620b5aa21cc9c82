package dev.postroom;

/** Publishing was asked for outside of a transaction, where the message and the data could part. */
public final class NoTransactionException extends PostroomException {
    private static final long serialVersionUID = 1L;

    public NoTransactionException(String message) {
        super(message);
    }
}
