package io.cascade.coding.session;

/**
 * Tracks whether a path carries a session's longest datagrams (RFC 8899, with two sizes: whole, and
 * halves as made by {@link io.cascade.coding.wire.HalfDatagrams}). The handshake has shown that it
 * did.
 *
 * <pre>
 * WHOLE ─▶ HALVED ⇄ SEARCHING ─▶ WHOLE
 * </pre>
 *
 * A search is three probes as long as the longest datagram. If none is answered, the next search
 * follows after 1 s to 10 min (RFC 8899 §5.1.1). Used by one thread.
 */
public final class PathMtu {
  /** Result of {@link #nextNanos} while there is nothing to do. */
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

  /** State of the search. */
  public enum State {
    /** The path carries whole datagrams. */
    WHOLE,
    /** The path carries halves. */
    HALVED,
    /** The path carries halves, and probes in flight test for more. */
    SEARCHING;

    /** Event that changes the state. */
    enum Event {
      BLACK_HOLE,
      SEARCH_DUE,
      PROBE_ANSWERED,
      PROBES_LOST,
      WAY_CHANGED
    }

    /** The state after an event; the same state if the event has no effect in it. */
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

  /** Whether the longest datagrams must be sent as two. */
  public boolean isHalved() {
    return state != State.WHOLE;
  }

  /** Long datagrams do not arrive; returns whether that changed the state. */
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

  /** The path has changed, and nothing is known of the new one. */
  public void onWayChanged(long nowNanos) {
    waitNanos = FIRST_SEARCH_NANOS;
    move(State.Event.WAY_CHANGED, nowNanos);
  }

  /**
   * Whether a probe must be sent now.
   *
   * @param answerNanos time within which its answer is expected
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
