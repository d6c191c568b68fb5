/** Benchmarks of the planner, and of its growth with the network. */
@NullMarked
package io.cascade.testbed.planning;

import org.jspecify.annotations.NullMarked;
