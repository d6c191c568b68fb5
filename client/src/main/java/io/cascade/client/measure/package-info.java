/** Measurements of this host on the paths that start at it. */
@NullMarked
package io.cascade.client.measure;

import org.jspecify.annotations.NullMarked;
