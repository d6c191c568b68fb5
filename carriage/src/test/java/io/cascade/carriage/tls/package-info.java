/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.carriage.tls;

import org.jspecify.annotations.NullMarked;
