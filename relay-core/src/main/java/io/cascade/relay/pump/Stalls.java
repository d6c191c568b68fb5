package io.cascade.relay.pump;

/** Waiting times of a direction, or of many together, by cause, in nanoseconds. */
public record Stalls(long dataNanos, long sinkNanos, long budgetNanos) {
  public static final Stalls NONE = new Stalls(0, 0, 0);

  public Stalls plus(Stalls other) {
    return new Stalls(
        dataNanos + other.dataNanos, sinkNanos + other.sinkNanos, budgetNanos + other.budgetNanos);
  }

  public Stalls minus(Stalls earlier) {
    return new Stalls(
        dataNanos - earlier.dataNanos,
        sinkNanos - earlier.sinkNanos,
        budgetNanos - earlier.budgetNanos);
  }

  public double seconds(Stall cause) {
    return switch (cause) {
          case DATA -> dataNanos;
          case SINK -> sinkNanos;
          case BUDGET -> budgetNanos;
        }
        / 1e9;
  }
}
