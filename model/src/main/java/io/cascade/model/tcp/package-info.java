/**
 * Rate that one TCP connection delivers in its steady state, by congestion control, and its limits.
 */
@NullMarked
package io.cascade.model.tcp;

import org.jspecify.annotations.NullMarked;
