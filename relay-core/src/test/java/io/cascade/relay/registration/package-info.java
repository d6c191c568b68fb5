/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.registration;

import org.jspecify.annotations.NullMarked;
