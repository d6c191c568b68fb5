/** Measurements of the paths from this host. */
@NullMarked
package io.cascade.client.measure;

import org.jspecify.annotations.NullMarked;
