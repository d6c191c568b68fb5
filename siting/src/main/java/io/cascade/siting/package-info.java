/**
 * Choice of the sites to rent for relays: the best one, by a solver, and a greedy one for
 * comparison.
 */
@NullMarked
package io.cascade.siting;

import org.jspecify.annotations.NullMarked;
