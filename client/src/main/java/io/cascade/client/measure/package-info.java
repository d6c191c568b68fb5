/** What this host itself can measure of the paths that start at it. */
@NullMarked
package io.cascade.client.measure;

import org.jspecify.annotations.NullMarked;
