/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.transport;

import org.jspecify.annotations.NullMarked;
