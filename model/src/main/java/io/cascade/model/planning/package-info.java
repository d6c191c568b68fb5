/** Decides between the direct connection and a cascade over a measured network, and says why. */
@NullMarked
package io.cascade.model.planning;

import org.jspecify.annotations.NullMarked;
