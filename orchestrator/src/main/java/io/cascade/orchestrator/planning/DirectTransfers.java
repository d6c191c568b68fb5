package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;

/** Listener for transfers that clients made without relays. */
public interface DirectTransfers {
  /**
   * A transfer has ended.
   *
   * @param client address of its host
   * @param bitsPerSecond rate at which it arrived
   */
  void transferred(String client, HostPort destination, long bytes, double bitsPerSecond);
}
