/** One client connection through this relay: its two directions, its end, and its record. */
@NullMarked
package io.cascade.relay.stream;

import org.jspecify.annotations.NullMarked;
