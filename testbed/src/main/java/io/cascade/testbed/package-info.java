/** Emulated networks, experiments and benchmarks: everything that measures. */
@NullMarked
package io.cascade.testbed;

import org.jspecify.annotations.NullMarked;
