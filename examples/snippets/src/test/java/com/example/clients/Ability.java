package com.example.clients;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a receiver reads of a message. */
enum Ability {
    EVERYTHING,
    /** Its library takes the body for text. */
    TEXT_ONLY,
    /** An event has no place for headers that are not its own. */
    NO_HEADERS,
    /** Payload, content type and id: what it is an example for. */
    PAYLOAD;

    boolean takes(SampleMessage message) {
        return this != TEXT_ONLY || message.isText();
    }

    Map<String, String> of(Map<String, String> fields) {
        Map<String, String> read = new TreeMap<>(fields);
        if (this == NO_HEADERS) {
            read.remove("note");
        } else if (this == PAYLOAD) {
            read.keySet().retainAll(Set.of("id", "contentType", "payload"));
        }
        return read;
    }
}
