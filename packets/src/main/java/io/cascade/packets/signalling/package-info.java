/**
 * Signals by which a splitter/combiner learns, for each connection, whether another one is at the
 * far side: the source's signalling unit.
 */
@NullMarked
package io.cascade.packets.signalling;

import org.jspecify.annotations.NullMarked;
