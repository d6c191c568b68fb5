/**
 * Search for routes over numbered nodes and arrays of link costs, independent of the meaning of the
 * costs.
 */
@NullMarked
package io.cascade.model.routing;

import org.jspecify.annotations.NullMarked;
