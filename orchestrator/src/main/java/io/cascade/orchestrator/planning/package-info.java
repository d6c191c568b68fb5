/**
 * Plans: whether a cascade would pay, and through which relays. Provides the model with
 * measurements.
 */
@NullMarked
package io.cascade.orchestrator.planning;

import org.jspecify.annotations.NullMarked;
