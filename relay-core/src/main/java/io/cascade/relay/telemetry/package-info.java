/** What a relay shows of itself to Prometheus. */
@NullMarked
package io.cascade.relay.telemetry;

import org.jspecify.annotations.NullMarked;
