/** Connections to destinations. */
@NullMarked
package io.cascade.relay.egress;

import org.jspecify.annotations.NullMarked;
