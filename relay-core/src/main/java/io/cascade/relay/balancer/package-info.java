/**
 * Clients' addresses: load balancers send them by the PROXY protocol, and the relay sends them on
 * to destinations that expect them.
 */
@NullMarked
package io.cascade.relay.balancer;

import org.jspecify.annotations.NullMarked;
