/** Files and documents of {@code site}: candidates, demands, and the answer. */
@NullMarked
package io.cascade.client.siting;

import org.jspecify.annotations.NullMarked;
