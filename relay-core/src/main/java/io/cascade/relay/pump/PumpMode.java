package io.cascade.relay.pump;

import java.util.Locale;

/** Ways to move the bytes of a direction. */
public enum PumpMode {
  /**
   * Copies, but splices bulk while the event loop is busy: that costs the relay less and both its
   * neighbours more, see {@code docs/how/data-plane.md}.
   */
  AUTO,
  /** Copies through buffers of this process. */
  COPY,
  /** Splices through a pipe in the kernel wherever both connections are plain TCP on epoll. */
  SPLICE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
