/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.tls;

import org.jspecify.annotations.NullMarked;
