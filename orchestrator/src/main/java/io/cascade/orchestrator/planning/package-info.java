/** Would a cascade pay, and through which relays? Feeds the model with measurements. */
@NullMarked
package io.cascade.orchestrator.planning;

import org.jspecify.annotations.NullMarked;
