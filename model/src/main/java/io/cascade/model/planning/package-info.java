/**
 * Decides between the direct connection and a cascade over a measured network, and gives the
 * reasons.
 */
@NullMarked
package io.cascade.model.planning;

import org.jspecify.annotations.NullMarked;
