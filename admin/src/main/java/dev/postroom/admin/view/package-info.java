/**
 * What operations look like in JSON, the same in every place: names and shapes are part of the public contract. Plain
 * records that need no JSON library to be described; {@link dev.postroom.admin.view.ViewJson} writes them.
 */
@NullMarked
package dev.postroom.admin.view;

import org.jspecify.annotations.NullMarked;
