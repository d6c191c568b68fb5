/** Specifications of the package, as tests. */
@NullMarked
package io.cascade.relay.telemetry;

import org.jspecify.annotations.NullMarked;
