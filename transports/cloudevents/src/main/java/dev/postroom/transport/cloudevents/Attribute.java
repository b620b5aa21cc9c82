package dev.postroom.transport.cloudevents;

import java.util.Locale;

/** An attribute of our events that travels beside the payload. The content type is not among them: protocols have their own place for it. */
public enum Attribute {
    SPECVERSION,
    ID,
    SOURCE,
    TYPE,
    TIME,
    SUBJECT,
    TENANTID,
    TRACEPARENT,
    TRACESTATE;

    /** As the specification writes it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
