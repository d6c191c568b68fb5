/**
 * Reading what a peer says on a connection before the bytes of a stream, whatever that is: the hop
 * header itself is the relay's.
 */
@NullMarked
package io.cascade.carriage.preamble;

import org.jspecify.annotations.NullMarked;
