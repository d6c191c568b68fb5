package io.cascade.segments;

import java.nio.ByteBuffer;

/** Message between two junctions over a pipe. The layout on the wire is {@link FrameCodec}'s. */
public sealed interface Frame {
  /** Version of the protocol. Junctions of different versions refuse each other. */
  int VERSION = 2;

  /** The acceptor's first frame on every pipe. */
  record Challenge(int version, Octets16 nonce) implements Frame {}

  /**
   * The initiator's first frame on every pipe.
   *
   * @param join whether the stream must exist already; otherwise it is created where it does not
   * @param pipe number of the pipe within the stream, never used twice
   */
  record Introduction(int version, boolean join, Octets16 stream, int pipe, Octets16 authenticator)
      implements Frame {}

  /** The acceptor takes the pipe. */
  record Acceptance(Octets16 authenticator) implements Frame {}

  /** The acceptor does not take the pipe. The connection ends with this frame. */
  record Refusal(Reason reason, String detail) implements Frame {}

  /**
   * The first frame on a pipe whose stream is known from what preceded it, such as a hop header of
   * a relay, which authenticates it as well. Data may follow at once.
   *
   * @param join whether the stream must exist already; otherwise it is created where it does not
   * @param awaited whether the stream's client waits for the destination's status
   * @param pipe number of the pipe within the stream, never used twice
   */
  record PipeStart(int version, boolean join, boolean awaited, int pipe) implements Frame {}

  /**
   * Bytes of the stream.
   *
   * @param offset of the first byte in its direction of the stream
   * @param bytes at least one
   */
  record Data(long offset, ByteBuffer bytes) implements Frame {}

  /**
   * Progress of the direction that is received.
   *
   * @param received the first offset that is missing; one more than the stream's length once the
   *     end has been received
   * @param limit the first offset that may not be sent yet; never goes back
   * @param onThisPipe octets of data, and one for each end, that have come over this pipe
   */
  record Acknowledgement(long received, long limit, long onThisPipe) implements Frame {}

  /** Asks whether the pipe still carries. */
  record Probe(long number) implements Frame {}

  /** Answers a probe on the same pipe. */
  record Echo(long number) implements Frame {}

  /**
   * Its sender gives the pipe no more data, and the receiver is to do the same. Whoever has
   * received this and has nothing on its way over the pipe ends its output on it.
   */
  record Withdrawal() implements Frame {}

  /**
   * The direction ends here. It takes the place of one octet at the offset.
   *
   * @param reason {@link Reason#FINISHED} is a clean end; any other makes the receiver deliver what
   *     precedes and then reset its own side
   */
  record End(long offset, Reason reason) implements Frame {}

  /** The stream is over, in both directions, and what was not delivered is lost. */
  record Reset(Reason reason, String detail) implements Frame {}
}
