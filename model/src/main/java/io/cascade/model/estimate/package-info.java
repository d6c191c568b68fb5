/**
 * Estimates of what one path, or a chain of hops over it, would deliver: every limit, every part of
 * the time, and the alternatives without relays.
 */
@NullMarked
package io.cascade.model.estimate;

import org.jspecify.annotations.NullMarked;
