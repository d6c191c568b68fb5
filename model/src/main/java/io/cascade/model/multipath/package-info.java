/**
 * Several routes at once with shared relay and link capacity: which routes, how much over each, and
 * when the last of them is done.
 */
@NullMarked
package io.cascade.model.multipath;

import org.jspecify.annotations.NullMarked;
