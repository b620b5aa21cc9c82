package dev.postroom.relay;

/** What to say about an exception, in one place. */
final class Errors {
    /** More than this tells nobody anything; the engine may keep less. */
    private static final int LONGEST = 10_000;

    private Errors() {}

    /** Its message where there is one, which says more than its class. */
    static String describe(Throwable error) {
        String message = error.getMessage();
        String text = message == null || message.isBlank() ? error.toString() : message;
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }

    /** Its class and message: for code that is not ours, where both are needed to find the cause. */
    static String withClass(Throwable error) {
        String text = error.toString();
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
