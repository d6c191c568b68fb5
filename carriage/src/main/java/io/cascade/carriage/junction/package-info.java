/**
 * Ends of segments: a stream is framed and carried over several pipes, and put together again. What
 * a stream over pipes does is in {@code io.cascade.segments}; here are its event loop, its
 * connections and its memory. Who dials pipes and who takes them is the user's.
 */
@NullMarked
package io.cascade.carriage.junction;

import org.jspecify.annotations.NullMarked;
