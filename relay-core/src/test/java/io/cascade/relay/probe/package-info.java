/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.probe;

import org.jspecify.annotations.NullMarked;
