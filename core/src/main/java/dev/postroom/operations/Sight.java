package dev.postroom.operations;

/**
 * How much of the outbox somebody sees.
 *
 * @param tenants whose messages
 * @param errors which error texts are searched for them
 */
public record Sight(Tenants tenants, ErrorSearch errors) {
    public static final Sight EVERYTHING = new Sight(Tenants.ALL, ErrorSearch.ALL);
}
