/**
 * Corrections of the model for links between relays, learned from chains; separate from
 * measurements.
 */
@NullMarked
package io.cascade.orchestrator.corrections;

import org.jspecify.annotations.NullMarked;
