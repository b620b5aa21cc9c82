package dev.postroom.server.serve;

import dev.postroom.policy.RetryPolicy;
import dev.postroom.server.settings.Section;

/** A retry policy from settings: a preset, or the one before, with single values replaced. */
final class RetrySettings {
    private RetrySettings() {}

    static RetryPolicy of(Section retry, RetryPolicy otherwise) {
        RetryPolicy start = retry.text("preset").map(RetryPolicy::preset).orElse(otherwise);
        return new RetryPolicy(
                retry.duration("base").orElse(start.base()),
                retry.number("multiplier").orElse(start.multiplier()),
                retry.duration("cap").orElse(start.cap()),
                retry.number("jitter").orElse(start.jitter()),
                retry.integer("max-attempts").orElse(start.maxAttempts()));
    }
}
