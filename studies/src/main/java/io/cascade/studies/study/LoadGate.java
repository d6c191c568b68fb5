package io.cascade.studies.study;

/**
 * Lets as much traffic run at the same time as the processors carry: what waits here has not begun,
 * so that waiting costs no measurement anything.
 */
public final class LoadGate {
  /**
   * Load in bit/s that a processor carries with air left: a megabit of full packets costs about 5
   * ms for every link that it crosses, relays and ends included.
   */
  public static final double OF_ONE_PROCESSOR = 130e6;

  private final double most;
  private double carried;

  public LoadGate(int processors) {
    this.most = OF_ONE_PROCESSOR * processors;
  }

  /** Leave to send traffic, closed when that is over. */
  public interface Pass extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits until there is room, or nothing else runs.
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

  /** Waits until nothing else runs, and keeps everything else waiting. */
  public Pass alone() throws InterruptedException {
    return enter(most);
  }

  private synchronized void leave(double bitsPerSecond) {
    carried -= bitsPerSecond;
    carried = carried < 1 ? 0 : carried; // What is left of a sum of doubles is no load.
    notifyAll();
  }
}
