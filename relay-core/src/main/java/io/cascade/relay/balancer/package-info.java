/**
 * Addresses of clients: load balancers tell them by the PROXY protocol, and destinations are told
 * so.
 */
@NullMarked
package io.cascade.relay.balancer;

import org.jspecify.annotations.NullMarked;
