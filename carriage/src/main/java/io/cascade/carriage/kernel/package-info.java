/**
 * System calls of the data plane, none of which blocks: {@code splice}, pipes, and many datagrams
 * at once. They are made through {@code io.cascade.kernel}.
 */
@NullMarked
package io.cascade.carriage.kernel;

import org.jspecify.annotations.NullMarked;
