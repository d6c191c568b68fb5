/** Statistics of relays and chains, and the hop that holds a chain up. */
@NullMarked
package io.cascade.orchestrator.statistics;

import org.jspecify.annotations.NullMarked;
