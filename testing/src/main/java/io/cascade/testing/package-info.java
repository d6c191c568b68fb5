/** Helpers that the tests of several modules share. */
@NullMarked
package io.cascade.testing;

import org.jspecify.annotations.NullMarked;
