package io.cascade.packets.pipes;

/**
 * A pipe as schedulers see it: its properties, whether it may be used, and how much waits before it
 * by this end's own reckoning. All connections share it.
 */
public final class Pipe {
  private final PipeId id;
  private final PipeProperties properties;
  private boolean usable = true;

  /** Time at which all that was sent will have been put on the slowest link. */
  private long freeNanos = Long.MIN_VALUE;

  Pipe(PipeId id, PipeProperties properties) {
    this.id = id;
    this.properties = properties;
  }

  public PipeId id() {
    return id;
  }

  public PipeProperties properties() {
    return properties;
  }

  public boolean usable() {
    return usable;
  }

  void become(boolean nowUsable) {
    usable = nowUsable;
  }

  /** When a packet that is sent now will arrive, if nobody else uses the pipe. */
  public long arrivalNanos(int bytes, long nowNanos) {
    return Math.max(nowNanos, freeNanos)
        + properties.serialisationNanos(bytes)
        + properties.roundTripNanos();
  }

  /** Whether the queue before the pipe still has room for a packet. */
  public boolean hasRoom(int bytes, long nowNanos) {
    double queueNanos = (properties.queueBytes() - bytes) * 8e9 / properties.bitsPerSecond();
    return freeNanos <= nowNanos || freeNanos - nowNanos <= queueNanos;
  }

  /**
   * Counts a packet that is sent now. What the queue has no room for is dropped and takes no time.
   */
  public void sent(int bytes, long nowNanos) {
    if (hasRoom(bytes, nowNanos)) {
      freeNanos = Math.max(nowNanos, freeNanos) + properties.serialisationNanos(bytes);
    }
  }
}
