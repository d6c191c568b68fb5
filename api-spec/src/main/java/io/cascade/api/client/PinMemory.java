package io.cascade.api.client;

import org.jspecify.annotations.Nullable;

/**
 * Keeps what servers have said of the keys that come next, for later processes. Whoever has none
 * learns in memory alone, and again from the pins of the URL in the next process.
 */
public interface PinMemory {
  /**
   * What was kept last of a server.
   *
   * @param server its host and port
   * @return null where there is nothing
   */
  @Nullable String load(String server);

  /** Keeps this in place of what was kept. Must not throw. */
  void keep(String server, String text);
}
