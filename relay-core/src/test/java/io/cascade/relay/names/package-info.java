/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.names;

import org.jspecify.annotations.NullMarked;
