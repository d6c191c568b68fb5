/** Kernel sockets: which transport carries them, their options, and what TCP says of itself. */
@NullMarked
package io.cascade.relay.transport;

import org.jspecify.annotations.NullMarked;
