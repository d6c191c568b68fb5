/**
 * Choice of the places to rent for relays: the exact choice, and a greedy one to hold against it.
 */
@NullMarked
package io.cascade.siting;

import org.jspecify.annotations.NullMarked;
