package io.cascade.packets.pipes;

/** A mean and a deviation of times, smoothed like round trips (RFC 6298, section 2). */
public final class SmoothedTime {
  private boolean sampled;
  private double meanNanos;
  private double deviationNanos;

  public void sample(long nanos) {
    if (!sampled) {
      sampled = true;
      meanNanos = nanos;
      deviationNanos = nanos / 2.0;
      return;
    }
    deviationNanos = 0.75 * deviationNanos + 0.25 * Math.abs(meanNanos - nanos);
    meanNanos = 0.875 * meanNanos + 0.125 * nanos;
  }

  /** 0 before the first sample. */
  public long mean() {
    return Math.round(meanNanos);
  }

  public boolean sampled() {
    return sampled;
  }

  /** Mean plus four deviations, which is seldom exceeded. */
  public long bound() {
    return Math.round(meanNanos + 4 * deviationNanos);
  }
}
