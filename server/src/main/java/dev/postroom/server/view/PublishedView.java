package dev.postroom.server.view;

import dev.postroom.Published;

/** What became of a published message. */
public record PublishedView(String id, boolean alreadyExisted) {

    public static PublishedView of(Published published) {
        return new PublishedView(published.id().toString(), published.alreadyExisted());
    }
}
