/** Coded hops: a coded session over a UDP socket on an event loop. */
@NullMarked
package io.cascade.carriage.coded;

import org.jspecify.annotations.NullMarked;
