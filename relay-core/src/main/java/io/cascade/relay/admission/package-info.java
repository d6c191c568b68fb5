/** Bounds on the connections of one source, and the log of refused clients. */
@NullMarked
package io.cascade.relay.admission;

import org.jspecify.annotations.NullMarked;
