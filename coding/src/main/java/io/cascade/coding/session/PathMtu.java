package io.cascade.coding.session;

/**
 * Whether a path takes a session's longest datagrams (RFC 8899, with two sizes: whole, and halves
 * as {@link io.cascade.coding.wire.HalfDatagrams} makes them). The handshake has shown that it did.
 *
 * <pre>
 * WHOLE ─▶ HALVED ⇄ SEARCHING ─▶ WHOLE
 * </pre>
 *
 * A search is three probes as long as the longest datagram; where none is answered the next comes
 * later, 1 s to 10 min (RFC 8899 §5.1.1). Used by one thread.
 */
public final class PathMtu {
  /** Returned by {@link #nextNanos}: nothing to do. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long FIRST_SEARCH_NANOS = 1_000_000_000L;
  private static final long LAST_SEARCH_NANOS = 600_000_000_000L;
  private static final long PROVEN_NANOS = 60_000_000_000L;
  private static final int PROBES = 3;

  private State state = State.WHOLE;
  private long waitNanos = FIRST_SEARCH_NANOS;
  private long dueNanos = NEVER;
  private long changedNanos;
  private int probesSent;

  /** Knowledge of the path. */
  public enum State {
    /** The path takes whole datagrams. */
    WHOLE,
    /** The path takes halves. */
    HALVED,
    /** The path takes halves, and probes are under way that may show more. */
    SEARCHING;

    /** Event that changes the knowledge. */
    enum Event {
      BLACK_HOLE,
      SEARCH_DUE,
      PROBE_ANSWERED,
      PROBES_LOST,
      WAY_CHANGED
    }

    /** The state after an event; the same where the event means nothing here. */
    State after(Event event) {
      return switch (this) {
        case WHOLE -> event == Event.BLACK_HOLE ? HALVED : this;
        case HALVED ->
            switch (event) {
              case SEARCH_DUE -> SEARCHING;
              case PROBE_ANSWERED, WAY_CHANGED -> WHOLE;
              case BLACK_HOLE, PROBES_LOST -> this;
            };
        case SEARCHING ->
            switch (event) {
              case PROBE_ANSWERED, WAY_CHANGED -> WHOLE;
              case PROBES_LOST -> HALVED;
              case BLACK_HOLE, SEARCH_DUE -> this;
            };
      };
    }
  }

  public State state() {
    return state;
  }

  /** Whether the longest datagrams are to be sent as two. */
  public boolean isHalved() {
    return state != State.WHOLE;
  }

  /** Long datagrams do not arrive; whether that was news. */
  public boolean onBlackHole(long nowNanos) {
    if (isHalved()) {
      return false;
    }
    if (nowNanos - changedNanos > PROVEN_NANOS) {
      waitNanos = FIRST_SEARCH_NANOS;
    }
    move(State.Event.BLACK_HOLE, nowNanos);
    return true;
  }

  /** A probe was answered. */
  public void onProbeAnswered(long nowNanos) {
    move(State.Event.PROBE_ANSWERED, nowNanos);
  }

  /** Another path is taken, of which nothing is known. */
  public void onWayChanged(long nowNanos) {
    waitNanos = FIRST_SEARCH_NANOS;
    move(State.Event.WAY_CHANGED, nowNanos);
  }

  /**
   * Whether a probe is to be sent now.
   *
   * @param answerNanos how long its answer may take
   */
  public boolean poll(long nowNanos, long answerNanos) {
    if (nowNanos < dueNanos) {
      return false;
    }
    if (state == State.SEARCHING && probesSent == PROBES) {
      waitNanos = Math.min(2 * waitNanos, LAST_SEARCH_NANOS);
      move(State.Event.PROBES_LOST, nowNanos);
      return false;
    }
    if (state == State.HALVED) {
      probesSent = 0;
      move(State.Event.SEARCH_DUE, nowNanos);
    }
    probesSent++;
    dueNanos = nowNanos + answerNanos;
    return true;
  }

  /** Returns when to {@link #poll} again. */
  public long nextNanos() {
    return dueNanos;
  }

  private void move(State.Event event, long nowNanos) {
    State before = state;
    state = state.after(event);
    if (state != before) {
      changedNanos = nowNanos;
      dueNanos = state == State.WHOLE ? NEVER : nowNanos + waitNanos;
    }
  }
}
