/** Ends of segments: a stream is framed and carried over several pipes, and put together again. */
@NullMarked
package io.cascade.relay.junction;

import org.jspecify.annotations.NullMarked;
