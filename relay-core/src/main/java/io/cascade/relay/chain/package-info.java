/** The parts of chains that are installed here, under their leases. */
@NullMarked
package io.cascade.relay.chain;

import org.jspecify.annotations.NullMarked;
