package io.cascade.client.forward;

import io.cascade.segments.SegmentStream;
import io.cascade.segments.StreamState;

/**
 * Report of a stream at a junction.
 *
 * @param sent octets of the own side that the far junction has acknowledged
 * @param received octets that were delivered to the own side
 * @param sentAgain octets that were sent more than once
 * @param pipesLost pipes that failed while the stream needed them
 * @param longestStallMillis longest time without an acknowledgement while octets to the far
 *     junction were unacknowledged
 * @param ending why it was reset; empty where it was not
 */
public record StreamReport(
    StreamState state,
    long sent,
    long received,
    long sentAgain,
    long pipesLost,
    double longestStallMillis,
    String ending) {
  static StreamReport of(SegmentStream stream) {
    SegmentStream.Failure failure = stream.failure();
    return new StreamReport(
        stream.state(),
        stream.acknowledged(),
        stream.deliveredOctets(),
        stream.sentAgain(),
        stream.pipesLost(),
        stream.longestStallNanos() / 1e6,
        failure == null ? "" : failure.toString());
  }
}
