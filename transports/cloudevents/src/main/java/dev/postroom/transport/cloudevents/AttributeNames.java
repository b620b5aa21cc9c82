package dev.postroom.transport.cloudevents;

import java.util.Arrays;

/** What attributes are called by a protocol that puts something before their names. */
public final class AttributeNames {
    private final String[] names;

    public AttributeNames(String prefix) {
        this.names = Arrays.stream(Attribute.values())
                .map(attribute -> prefix + attribute.label())
                .toArray(String[]::new);
    }

    @SuppressWarnings("EnumOrdinal") // a place in memory, never stored
    public String of(Attribute attribute) {
        return names[attribute.ordinal()];
    }
}
