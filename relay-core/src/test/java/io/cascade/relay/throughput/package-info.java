/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.throughput;

import org.jspecify.annotations.NullMarked;
