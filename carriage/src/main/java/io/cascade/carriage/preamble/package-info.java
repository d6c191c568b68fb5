/** Reading what a peer says on a connection before the bytes of a stream. */
@NullMarked
package io.cascade.carriage.preamble;

import org.jspecify.annotations.NullMarked;
