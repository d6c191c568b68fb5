/**
 * Search for routes over numbered nodes and arrays of link costs; knows nothing of what the costs
 * stand for.
 */
@NullMarked
package io.cascade.model.routing;

import org.jspecify.annotations.NullMarked;
