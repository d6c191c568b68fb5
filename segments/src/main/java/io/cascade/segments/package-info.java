/**
 * Segments: one byte stream over several pipes between two junctions. Frames, retransmission,
 * scheduling and reassembly, without I/O, clocks or threads: the caller moves bytes and passes the
 * time in. The protocol is described in {@code docs/how/segments.md}.
 */
@NullMarked
package io.cascade.segments;

import org.jspecify.annotations.NullMarked;
