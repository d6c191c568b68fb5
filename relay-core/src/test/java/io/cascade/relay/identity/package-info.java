/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.identity;

import org.jspecify.annotations.NullMarked;
