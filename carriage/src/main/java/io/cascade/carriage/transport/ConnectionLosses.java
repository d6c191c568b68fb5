package io.cascade.carriage.transport;

import java.util.concurrent.TimeUnit;

/** A connection's losses, and its response to them. On the connection's event loop. */
public final class ConnectionLosses {
  private final Connection connection;
  private final boolean responds;
  private final LossResponse response = LossResponse.ofOwn();
  private long firstLookNanos;
  private boolean hasLooked;

  /**
   * @param responds whether the connection takes another congestion control once its losses call
   *     for that
   */
  public ConnectionLosses(Connection connection, boolean responds) {
    this.connection = connection;
    this.responds = responds && connection.hasSocketOptions();
  }

  /**
   * Looks at what the kernel has counted, and does what that calls for.
   *
   * @param nowNanos by a monotonic clock
   */
  public void look(long nowNanos) {
    if (!hasLooked) {
      hasLooked = true;
      firstLookNanos = nowNanos;
    }
    TcpInfo info = responds && !response.isSettled() ? connection.tcpInfo() : null;
    if (info == null) {
      return;
    }
    LossResponse.Change change =
        response.look(
            info.retransmittedSegments(),
            TimeUnit.NANOSECONDS.toMicros(info.queuedRtt().toNanos()),
            TimeUnit.NANOSECONDS.toMicros(info.minRtt().toNanos()),
            TimeUnit.NANOSECONDS.toMicros(nowNanos - firstLookNanos));
    if (change == LossResponse.Change.TAKE) {
      boolean _ = SocketTuning.change(connection, LossResponse.CONTROL);
    }
  }
}
