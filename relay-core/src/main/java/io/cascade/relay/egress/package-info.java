/**
 * Connections to destinations: {@link io.cascade.relay.egress.EgressOutlet} to a chain's
 * destination, {@link io.cascade.relay.egress.DirectOutlet} to destinations that a proxy's clients
 * name.
 */
@NullMarked
package io.cascade.relay.egress;

import org.jspecify.annotations.NullMarked;
