package io.cascade.segments;

import java.util.Arrays;
import java.util.Optional;

/**
 * Reason for which a stream was reset, a pipe refused, or a direction ended. Frames contain the
 * code.
 */
public enum Reason {
  /** The application ended its output. The only reason that is a clean end. */
  FINISHED(0, "ended"),
  /** The connection behind one of the junctions was reset. */
  LOCAL_RESET(1, "the application's connection was reset"),
  DESTINATION_UNREACHABLE(2, "the destination cannot be connected to"),
  /** No pipe was left for the time that the stream may wait. */
  STRANDED(3, "no pipe was left"),
  /** The junction knows no stream of this identifier: it restarted, or the stream is over. */
  UNKNOWN_STREAM(4, "no such stream"),
  FORGED(5, "the authenticator does not match"),
  VERSION(6, "the versions of the protocol differ"),
  /** The junction has reached its bound on streams or pipes. */
  CAPACITY(7, "too many streams or pipes"),
  /** The junction's operator reset the stream, or the junction shuts down. */
  SHUTDOWN(8, "the junction shuts down"),
  /** A frame is malformed. */
  MALFORMED(16, "a frame is malformed"),
  /** A frame is not allowed in this state. */
  UNEXPECTED_FRAME(17, "a frame came that is not expected"),
  /** Bytes that differ from those received before at the same offset. */
  OVERLAP_DIFFERS(18, "different bytes came for the same offset"),
  /** Data beyond the granted window. */
  WINDOW_OVERRUN(19, "data came beyond the window"),
  /** Data after the stream's end, or two different ends. */
  END_DIFFERS(20, "data contradicts the end of the stream"),
  /** An acknowledgement for data that was never sent. */
  ACKNOWLEDGED_UNSENT(21, "an acknowledgement is for what was not sent"),
  /** Too many separate ranges wait for earlier ones: a correct sender leaves fewer. */
  TOO_FRAGMENTED(22, "too many separate ranges wait");

  private final int code;
  private final String words;

  Reason(int code, String words) {
    this.code = code;
    this.words = words;
  }

  public int code() {
    return code;
  }

  /** Describes the event, as the end of a sentence. */
  public String words() {
    return words;
  }

  static Optional<Reason> of(int code) {
    return Arrays.stream(values()).filter(reason -> reason.code == code).findFirst();
  }
}
