package io.cascade.coding.session;

/**
 * What acknowledgements show of a session's carrier: whether the peer answers at all, whether data
 * arrives, and whether only short datagrams do. Times are those of the session's clock. Used by one
 * thread.
 */
public final class AnswerWatch {
  private static final long NOTHING = Long.MAX_VALUE;

  private long askedNanos = NOTHING;
  private long answeredNanos;
  private long sentNanos = NOTHING;
  private long deliveredNanos;
  private boolean isBlackHole;

  AnswerWatch(long nowNanos) {
    answeredNanos = nowNanos;
    deliveredNanos = nowNanos;
  }

  /** A packet was sent that requests an acknowledgement. */
  void asked(long nowNanos) {
    askedNanos = Math.min(askedNanos, nowNanos);
  }

  /** Data was sent that the peer lacks. */
  void sentData(long nowNanos) {
    sentNanos = Math.min(sentNanos, nowNanos);
  }

  /**
   * An acknowledgement has arrived.
   *
   * @param hasData whether it acknowledges data for the first time
   * @param isAll whether the peer now lacks nothing
   */
  void answered(long nowNanos, boolean hasData, boolean isAll) {
    askedNanos = NOTHING;
    answeredNanos = nowNanos;
    if (hasData) {
      deliveredNanos = nowNanos;
      isBlackHole = false;
    }
    if (hasData || isAll) {
      sentNanos = NOTHING;
    }
  }

  /** Short packets arrive, but none of the long ones sent before them. */
  void foundBlackHole() {
    isBlackHole = true;
  }

  /** The carrier has changed, or datagrams have become shorter. */
  void wayChanged() {
    askedNanos = NOTHING;
    sentNanos = NOTHING;
    isBlackHole = false;
  }

  /**
   * Whether the peer has recently acknowledged short packets but none of the long ones sent before
   * them.
   */
  public boolean isBlackHole() {
    return isBlackHole;
  }

  /** Time for which a packet that requests an acknowledgement has had none; 0 if none waits. */
  public long unansweredNanos(long nowNanos) {
    return askedNanos == NOTHING ? 0 : Math.max(0, nowNanos - askedNanos);
  }

  /** Time of the last acknowledgement, or of the session's beginning. */
  public long answeredNanos() {
    return answeredNanos;
  }

  /**
   * Time for which data that the peer lacks has been sent without any arriving; 0 if the peer lacks
   * none.
   */
  public long undeliveredNanos(long nowNanos) {
    return sentNanos == NOTHING ? 0 : Math.max(0, nowNanos - sentNanos);
  }

  /** Time of the last acknowledgement of data, or of the session's beginning. */
  public long deliveredNanos() {
    return deliveredNanos;
  }
}
