/**
 * Throughput tests and packet trains between two relays: who may run when, the two ends, and what
 * they measure.
 */
@NullMarked
package io.cascade.relay.throughput;

import org.jspecify.annotations.NullMarked;
