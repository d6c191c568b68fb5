/** What {@code site} reads and writes: candidates, demands, and the answer. */
@NullMarked
package io.cascade.client.siting;

import org.jspecify.annotations.NullMarked;
