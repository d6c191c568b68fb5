package io.cascade.relay.stream;

/**
 * Since when no byte of a stream has moved, told from its counters, so that nothing has to be noted
 * when one does. Exact to the time between two looks.
 */
final class Stillness {
  private long movedBytes;
  private long sinceNanos;

  Stillness(long nowNanos) {
    this.sinceNanos = nowNanos;
  }

  /**
   * How long it has been still, in nanoseconds.
   *
   * @param totalMovedBytes that the stream has moved since it began, in and out
   */
  long look(long totalMovedBytes, long nowNanos) {
    if (totalMovedBytes != movedBytes) {
      movedBytes = totalMovedBytes;
      sinceNanos = nowNanos;
    }
    return nowNanos - sinceNanos;
  }
}
