/**
 * Comparison of {@code send} and {@code receive} with the bound of the link and with alternatives:
 * plain TCP connections and other tools, on the same emulated paths.
 */
@NullMarked
package io.cascade.studies.rivals;

import org.jspecify.annotations.NullMarked;
