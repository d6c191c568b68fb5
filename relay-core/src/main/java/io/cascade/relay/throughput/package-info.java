/**
 * Throughput tests and packet trains between two relays: their admission, their two ends, and their
 * measurements.
 */
@NullMarked
package io.cascade.relay.throughput;

import org.jspecify.annotations.NullMarked;
