/** Connections: the interface that streams use, its implementations, their options and counters. */
@NullMarked
package io.cascade.carriage.transport;

import org.jspecify.annotations.NullMarked;
