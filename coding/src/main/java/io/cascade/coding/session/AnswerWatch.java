package io.cascade.coding.session;

/**
 * What acknowledgements tell of the way that a session's datagrams take: whether the peer answers
 * at all, whether data arrives, and whether only short datagrams do. Times are those of the
 * session's clock. Used by one thread.
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

  /** Something was sent that asks for an acknowledgement. */
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
   * @param hasData whether it tells of data that arrived
   * @param isAll whether the peer lacks nothing now
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

  /** Short packets arrive, and none of the long ones that were sent before them. */
  void foundBlackHole() {
    isBlackHole = true;
  }

  /** Datagrams take another way from now on, or are shorter. */
  void wayChanged() {
    askedNanos = NOTHING;
    sentNanos = NOTHING;
    isBlackHole = false;
  }

  /**
   * Whether the peer has answered short packets of late and has none of the long ones sent before
   * them.
   */
  public boolean isBlackHole() {
    return isBlackHole;
  }

  /** Time that a packet which asks for an acknowledgement has had none; 0 where none waits. */
  public long unansweredNanos(long nowNanos) {
    return askedNanos == NOTHING ? 0 : Math.max(0, nowNanos - askedNanos);
  }

  /** Returns when an acknowledgement arrived last, or the session began. */
  public long answeredNanos() {
    return answeredNanos;
  }

  /**
   * Time for which data has been sent that the peer lacks, and none has arrived; 0 where the peer
   * lacks none.
   */
  public long undeliveredNanos(long nowNanos) {
    return sentNanos == NOTHING ? 0 : Math.max(0, nowNanos - sentNanos);
  }

  /** Returns when data was acknowledged last, or the session began. */
  public long deliveredNanos() {
    return deliveredNanos;
  }
}
