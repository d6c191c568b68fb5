/**
 * Connections to destinations: {@link io.cascade.relay.egress.EgressOutlet} to the one of a chain,
 * {@link io.cascade.relay.egress.DirectOutlet} to those that a proxy's clients name.
 */
@NullMarked
package io.cascade.relay.egress;

import org.jspecify.annotations.NullMarked;
