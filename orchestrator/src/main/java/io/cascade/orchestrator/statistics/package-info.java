/** Statistics of relays and chains, and the bottleneck of each chain. */
@NullMarked
package io.cascade.orchestrator.statistics;

import org.jspecify.annotations.NullMarked;
