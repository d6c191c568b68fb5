/** Connections: the interface that streams use, what carries them, their options and counters. */
@NullMarked
package io.cascade.carriage.transport;

import org.jspecify.annotations.NullMarked;
