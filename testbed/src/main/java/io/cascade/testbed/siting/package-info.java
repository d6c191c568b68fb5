/** Benchmarks of the choice of sites. */
@NullMarked
package io.cascade.testbed.siting;

import org.jspecify.annotations.NullMarked;
