/** How a relay lets another process take its place without a connection lost. */
@NullMarked
package io.cascade.relay.handover;

import org.jspecify.annotations.NullMarked;
