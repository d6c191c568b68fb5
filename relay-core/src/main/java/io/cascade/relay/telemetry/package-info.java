/** Metrics of a relay for Prometheus. */
@NullMarked
package io.cascade.relay.telemetry;

import org.jspecify.annotations.NullMarked;
