/** How fast the planner is, and how its cost grows with the network. */
@NullMarked
package io.cascade.testbed.planning;

import org.jspecify.annotations.NullMarked;
