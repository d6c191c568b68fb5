/** Chains: opened on relays, kept alive, mended and closed. */
@NullMarked
package io.cascade.orchestrator.chains;

import org.jspecify.annotations.NullMarked;
