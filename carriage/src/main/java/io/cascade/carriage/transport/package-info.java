/** Connections: the seam that streams use, what carries them, their options and their account. */
@NullMarked
package io.cascade.carriage.transport;

import org.jspecify.annotations.NullMarked;
