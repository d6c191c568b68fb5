package io.cascade.coding.control;

import org.jspecify.annotations.Nullable;

/**
 * A mode of the controller that regularly measures the path without this sender, by one {@link
 * Probe}.
 */
abstract class ProbingMode {
  private @Nullable Probe running;
  private @Nullable Probe ended;

  /** The running probe; null if there is none. */
  final @Nullable Probe running() {
    return running;
  }

  final boolean isProbing() {
    return running != null;
  }

  final void arrived(long ordinal, double queueNanos, double emptyNanos) {
    Probe current = running;
    if (current != null) {
      current.arrived(ordinal, queueNanos, emptyNanos);
    }
  }

  final void lost(long ordinal) {
    Probe current = running;
    if (current != null) {
      current.lost(ordinal);
    }
  }

  /** Bound on packets in flight by the running probe. */
  final double bound() {
    Probe current = running;
    return current == null ? Double.MAX_VALUE : current.bound();
  }

  /** Returns the probe that ended in the last round, once. */
  final @Nullable Probe takeEndedProbe() {
    Probe taken = ended;
    ended = null;
    return taken;
  }

  /**
   * Begins a probe.
   *
   * @param bound packets in flight; raised if it is too low to detect anything
   * @param firstOrdinal first ordinal sent under it
   */
  final void start(double bound, long firstOrdinal) {
    running = new Probe(Math.max(Probe.LEAST_BOUND, bound), firstOrdinal);
  }

  final void end(Probe current) {
    running = null;
    ended = current;
  }

  /** Abandons the running probe without a result. */
  final void abandon() {
    running = null;
  }

  /** Discards the running probe and the ended one. */
  final void forget() {
    running = null;
    ended = null;
  }
}
