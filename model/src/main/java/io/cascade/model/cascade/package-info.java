/** Time that a chain of TCP connections through relays takes, from set-up to the last byte. */
@NullMarked
package io.cascade.model.cascade;

import org.jspecify.annotations.NullMarked;
