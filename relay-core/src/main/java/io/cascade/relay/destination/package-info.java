/** Decides where this relay may connect on behalf of chains, probes and proxies. */
@NullMarked
package io.cascade.relay.destination;

import org.jspecify.annotations.NullMarked;
