/**
 * What operators see and do: {@link dev.postroom.operations.Operations} is the one way, for CLI, REST and page alike;
 * {@link dev.postroom.operations.OperationsStore} and {@link dev.postroom.operations.Maintenance} are its ports to the
 * tables. Every list is bounded, every change has a reason and is audited in its own transaction.
 */
@NullMarked
package dev.postroom.operations;

import org.jspecify.annotations.NullMarked;
