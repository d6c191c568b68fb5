/**
 * Published measurements between cloud regions, and an evaluation of four rules that choose relays
 * on them: the direct path, the least round trip, the measured throughput, and the planner.
 */
@NullMarked
package io.cascade.studies.topologies;

import org.jspecify.annotations.NullMarked;
