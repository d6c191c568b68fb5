package io.cascade.segments;

import java.nio.ByteBuffer;

/** Message between two junctions over a pipe. {@link FrameCodec} defines the layout on the wire. */
public sealed interface Frame {
  /** Version of the protocol. Junctions of different versions refuse each other. */
  int VERSION = 2;

  /** The acceptor's first frame on every pipe. */
  record Challenge(int version, Octets16 nonce) implements Frame {}

  /**
   * The initiator's first frame on every pipe.
   *
   * @param join whether the stream must already exist; otherwise it is created if it does not
   * @param pipe number of the pipe within the stream, never used twice
   */
  record Introduction(int version, boolean join, Octets16 stream, int pipe, Octets16 authenticator)
      implements Frame {}

  /** The acceptor accepts the pipe. */
  record Acceptance(Octets16 authenticator) implements Frame {}

  /** The acceptor refuses the pipe. The connection ends with this frame. */
  record Refusal(Reason reason, String detail) implements Frame {}

  /**
   * The first frame on a pipe whose stream is known from what preceded it, such as a relay's hop
   * header, which also authenticates it. Data may follow at once.
   *
   * @param join whether the stream must already exist; otherwise it is created if it does not
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
   * Progress of the received direction.
   *
   * @param received the first missing offset; one more than the stream's length once the end has
   *     been received
   * @param limit the first offset that may not be sent yet; never decreases
   * @param onThisPipe octets of data, and one for each end, that have arrived over this pipe
   */
  record Acknowledgement(long received, long limit, long onThisPipe) implements Frame {}

  /** Asks whether the pipe still delivers. */
  record Probe(long number) implements Frame {}

  /** Answers a probe on the same pipe. */
  record Echo(long number) implements Frame {}

  /**
   * Its sender sends no more data over the pipe, and the receiver must do the same. A junction that
   * has received this and has nothing in flight over the pipe ends its output on it.
   */
  record Withdrawal() implements Frame {}

  /**
   * The direction ends here. The end occupies one octet at the offset.
   *
   * @param reason {@link Reason#FINISHED} is a clean end; for any other the receiver delivers what
   *     precedes and then resets its own side
   */
  record End(long offset, Reason reason) implements Frame {}

  /** The stream is over, in both directions, and undelivered data is lost. */
  record Reset(Reason reason, String detail) implements Frame {}
}
