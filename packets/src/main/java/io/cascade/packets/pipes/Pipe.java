package io.cascade.packets.pipes;

/**
 * A pipe as schedulers see it: its properties, whether it may be used, and how much waits before it
 * by this end's own reckoning. A pipe is usable while it is up and employed. All connections share
 * it.
 */
public final class Pipe {
  /** What one connection found of a pipe counts so long for what is not split. */
  private static final long SUSPICION_NANOS = 10_000_000_000L;

  private final PipeId id;
  private PipeProperties properties;
  private long returnNanos = -1;
  private boolean up = true;
  private boolean suspected;
  private long suspectedNanos;
  private boolean employed = true;
  private long sentPackets;
  private long sentBytes;
  private long receivedPackets;
  private long receivedBytes;

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

  /** Whether it is up and employed. */
  public boolean usable() {
    return up && employed;
  }

  /** Whether it delivers, as far as is known. */
  public boolean up() {
    return up;
  }

  /** Whether an operator lets it be used. */
  public boolean employed() {
    return employed;
  }

  void become(boolean nowUp) {
    up = nowUp;
  }

  void employ(boolean now) {
    employed = now;
  }

  void measured(PipeProperties now) {
    properties = now;
  }

  /**
   * Time that packets take from the other end by this pipe, more or less something that is the same
   * for all pipes; the round trip where it was not measured.
   */
  public long returnNanos() {
    return returnNanos < 0 ? properties.roundTripNanos() : returnNanos;
  }

  /**
   * Notes by how much packets from the other end take longer by this pipe than by the quickest one.
   *
   * @param now 0 or more
   */
  public void returnsAfter(long now) {
    returnNanos = now;
  }

  /**
   * Corrects this end's reckoning of what waits before the pipe.
   *
   * @param now when all that was sent will have been put on the slowest link
   */
  public void freeFrom(long now) {
    freeNanos = now;
  }

  /** Notes that nothing of what a connection sent by it has arrived for long. */
  public void suspect(long nowNanos) {
    suspected = true;
    suspectedNanos = nowNanos;
  }

  /** Notes that something has arrived by it. */
  public void trust() {
    suspected = false;
  }

  /** Whether it delivers nothing, by what a connection found lately. */
  public boolean isSuspect(long nowNanos) {
    return suspected && nowNanos - suspectedNanos < SUSPICION_NANOS;
  }

  /** Counts a packet that was given to it. */
  public void countSent(int bytes) {
    sentPackets++;
    sentBytes += bytes;
  }

  /** Counts a packet that it brought. */
  public void countReceived(int bytes) {
    receivedPackets++;
    receivedBytes += bytes;
  }

  public long sentPackets() {
    return sentPackets;
  }

  public long sentBytes() {
    return sentBytes;
  }

  public long receivedPackets() {
    return receivedPackets;
  }

  public long receivedBytes() {
    return receivedBytes;
  }

  /** Returns when a packet that is sent now will arrive, if nobody else uses the pipe. */
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
