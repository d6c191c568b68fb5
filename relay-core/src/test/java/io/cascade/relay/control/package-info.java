/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.control;

import org.jspecify.annotations.NullMarked;
