package io.cascade.relay.pump;

import java.util.Locale;

/** Ways to move the bytes of a direction. */
public enum PumpMode {
  /**
   * Through buffers, but bulk through the kernel while the event loop is busy: that costs the relay
   * less and both its neighbours more, see {@code docs/data-plane.md}.
   */
  AUTO,
  /** Through buffers of this process. */
  COPY,
  /** Through a pipe in the kernel wherever source and sink are plain sockets on epoll. */
  SPLICE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
