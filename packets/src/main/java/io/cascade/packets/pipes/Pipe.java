package io.cascade.packets.pipes;

/**
 * A pipe for schedulers: its properties, whether it may be used, and how much waits before it by
 * this end's own estimate. A pipe is usable while it is up and employed. All connections share it.
 */
public final class Pipe {
  /** Time for which one connection's suspicion of a pipe applies to unsplit packets. */
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

  /** Time at which all that was sent will have been transmitted on the slowest link. */
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

  /** Whether it delivers, as far as known. */
  public boolean up() {
    return up;
  }

  /** Whether an operator allows its use. */
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
   * Time of packets from the other end over this pipe, up to an offset that is the same for all
   * pipes; the round trip if it was not measured.
   */
  public long returnNanos() {
    return returnNanos < 0 ? properties.roundTripNanos() : returnNanos;
  }

  /**
   * Sets the additional time of packets from the other end over this pipe, compared with the
   * fastest one.
   *
   * @param now 0 or more
   */
  public void returnsAfter(long now) {
    returnNanos = now;
  }

  /**
   * Corrects this end's estimate of what waits before the pipe.
   *
   * @param now when all that was sent will have been transmitted on the slowest link
   */
  public void freeFrom(long now) {
    freeNanos = now;
  }

  /** Records that nothing that a connection sent over it has arrived for long. */
  public void suspect(long nowNanos) {
    suspected = true;
    suspectedNanos = nowNanos;
  }

  /** Records that something has arrived over it. */
  public void trust() {
    suspected = false;
  }

  /** Whether it delivers nothing, according to a connection's recent suspicion. */
  public boolean isSuspect(long nowNanos) {
    return suspected && nowNanos - suspectedNanos < SUSPICION_NANOS;
  }

  /** Counts a packet that was sent over it. */
  public void countSent(int bytes) {
    sentPackets++;
    sentBytes += bytes;
  }

  /** Counts a packet that arrived over it. */
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

  /**
   * Returns when a packet that is sent now will arrive, if there is no other traffic on the pipe.
   */
  public long arrivalNanos(int bytes, long nowNanos) {
    return Math.max(nowNanos, freeNanos)
        + properties.serialisationNanos(bytes)
        + properties.roundTripNanos();
  }

  /** Whether the queue before the pipe has room for a packet. */
  public boolean hasRoom(int bytes, long nowNanos) {
    double queueNanos = (properties.queueBytes() - bytes) * 8e9 / properties.bitsPerSecond();
    return freeNanos <= nowNanos || freeNanos - nowNanos <= queueNanos;
  }

  /**
   * Counts a packet that is sent now. A packet for which the queue has no room is dropped and takes
   * no time.
   */
  public void sent(int bytes, long nowNanos) {
    if (hasRoom(bytes, nowNanos)) {
      freeNanos = Math.max(nowNanos, freeNanos) + properties.serialisationNanos(bytes);
    }
  }
}
