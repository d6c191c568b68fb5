/**
 * Several routes at once under shared relay and link capacity: which, how much over each, and when
 * the last of them is done.
 */
@NullMarked
package io.cascade.model.multipath;

import org.jspecify.annotations.NullMarked;
