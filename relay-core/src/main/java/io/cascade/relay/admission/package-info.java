/** Bounds of what one source of connections may have, and the log of what is refused. */
@NullMarked
package io.cascade.relay.admission;

import org.jspecify.annotations.NullMarked;
