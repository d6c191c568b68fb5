/**
 * Choice of the places to rent for relays: the best one, by a solver, and a greedy one to compare
 * it with.
 */
@NullMarked
package io.cascade.siting;

import org.jspecify.annotations.NullMarked;
