package io.cascade.coding.control;

import org.jspecify.annotations.Nullable;

/**
 * A mode of the controller that looks at the path without us now and then, by one {@link Probe}.
 */
abstract class ProbingMode {
  private @Nullable Probe running;
  private @Nullable Probe ended;

  /** The probe that is under way; null where there is none. */
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

  /** Most packets in flight on account of a probe. */
  final double bound() {
    Probe current = running;
    return current == null ? Double.MAX_VALUE : current.bound();
  }

  /** The probe that ended in the last round, once. */
  final @Nullable Probe takeEndedProbe() {
    Probe taken = ended;
    ended = null;
    return taken;
  }

  /**
   * Begins a probe.
   *
   * @param bound packets in flight; too few see nothing and are raised
   * @param firstOrdinal that is sent under it
   */
  final void start(double bound, long firstOrdinal) {
    running = new Probe(Math.max(Probe.LEAST_BOUND, bound), firstOrdinal);
  }

  final void end(Probe current) {
    running = null;
    ended = current;
  }

  /** Gives up the probe that is under way, which says nothing. */
  final void abandon() {
    running = null;
  }

  /** Forgets the probe that is under way and the one that has ended. */
  final void forget() {
    running = null;
    ended = null;
  }
}
