/** Chains: opened on relays, kept alive, repaired and closed. */
@NullMarked
package io.cascade.orchestrator.chains;

import org.jspecify.annotations.NullMarked;
