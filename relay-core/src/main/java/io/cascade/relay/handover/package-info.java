/** The hand-over of a relay's sockets and state to another process, without a connection lost. */
@NullMarked
package io.cascade.relay.handover;

import org.jspecify.annotations.NullMarked;
