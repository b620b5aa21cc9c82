package dev.postroom.operations;

/**
 * What became of an action.
 *
 * @param matched how many messages it fits, counted no further than {@value Bulk#MOST}
 * @param changed how many were changed: none by a dry run, no more than the limit otherwise
 */
public record ActionResult(long matched, long changed) {}
