/**
 * What an installation decides: read from a YAML file, the environment and system properties, checked as a whole before
 * anything starts. A later one of these sources wins. Nothing is corrected in silence.
 */
@NullMarked
package dev.postroom.server.settings;

import org.jspecify.annotations.NullMarked;
