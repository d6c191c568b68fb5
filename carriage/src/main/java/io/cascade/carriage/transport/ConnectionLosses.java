package io.cascade.carriage.transport;

import java.util.concurrent.TimeUnit;

/** A connection's losses, and its response to them. Used on the connection's event loop. */
public final class ConnectionLosses {
  private final Connection connection;
  private final boolean responds;
  private final LossResponse response = LossResponse.ofOwn();
  private long firstLookNanos;
  private boolean hasLooked;

  /**
   * @param responds whether the connection may change its congestion control in response to losses
   */
  public ConnectionLosses(Connection connection, boolean responds) {
    this.connection = connection;
    this.responds = responds && connection.hasSocketOptions();
  }

  /**
   * Checks the kernel's counts, and changes the congestion control if they call for it.
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
