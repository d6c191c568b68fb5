/**
 * Estimates of what one path, or a chain of hops over it, would deliver: every cap, every part of
 * the time, and the ways to do without relays beside it.
 */
@NullMarked
package io.cascade.model.estimate;

import org.jspecify.annotations.NullMarked;
