/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.carriage.transport;

import org.jspecify.annotations.NullMarked;
