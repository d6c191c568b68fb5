/** Connections for threads that block. */
@NullMarked
package io.cascade.carriage.blocking;

import org.jspecify.annotations.NullMarked;
