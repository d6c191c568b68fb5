package io.cascade.studies.study;

/**
 * Limits the traffic that runs at the same time to what the processors can carry. A measurement
 * waits here before it begins, so waiting does not affect its values.
 */
public final class LoadGate {
  /**
   * Load in bit/s that a processor carries with a reserve: a megabit of full packets costs about 5
   * ms for every link that it crosses, relays and ends included.
   */
  public static final double OF_ONE_PROCESSOR = 130e6;

  private final double most;
  private double carried;

  public LoadGate(int processors) {
    this.most = OF_ONE_PROCESSOR * processors;
  }

  /** Permission to send traffic; closed when the traffic ends. */
  public interface Pass extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits until the load is admitted, or nothing else runs.
   *
   * @param bitsPerSecond that all links carry together
   */
  public synchronized Pass enter(double bitsPerSecond) throws InterruptedException {
    while (carried > 0 && carried + bitsPerSecond > most) {
      wait();
    }
    carried += bitsPerSecond;
    return () -> leave(bitsPerSecond);
  }

  /** Waits until nothing else runs, and blocks all others until it is closed. */
  public Pass alone() throws InterruptedException {
    return enter(most);
  }

  private synchronized void leave(double bitsPerSecond) {
    carried -= bitsPerSecond;
    carried = carried < 1 ? 0 : carried; // rounding error of a sum of doubles
    notifyAll();
  }
}
