/** The hand-over of a relay's sockets and state to another process without losing a connection. */
@NullMarked
package io.cascade.relay.handover;

import org.jspecify.annotations.NullMarked;
