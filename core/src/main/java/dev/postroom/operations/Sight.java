package dev.postroom.operations;

/**
 * How much of the outbox somebody sees.
 *
 * @param tenants whose messages
 * @param errorTexts whether error texts are searched for them: a receiver's error may quote what is hidden from them, and
 *     a search that finds it tells as much as showing it
 */
public record Sight(Tenants tenants, boolean errorTexts) {
    public static final Sight EVERYTHING = new Sight(Tenants.ALL, true);
}
