/** Tests of carriage as a whole, and what tests of several packages share. */
@NullMarked
package io.cascade.carriage;

import org.jspecify.annotations.NullMarked;
