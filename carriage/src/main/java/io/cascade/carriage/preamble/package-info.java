/**
 * Reads the messages that a peer sends on a connection before the bytes of a stream. The relay's
 * hop header is not part of it.
 */
@NullMarked
package io.cascade.carriage.preamble;

import org.jspecify.annotations.NullMarked;
