package io.cascade.api.client;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the keys that servers have announced, for later processes. Without one, keys are kept in
 * memory only, and the next process starts again from the pins of the URL.
 */
public interface PinMemory {
  /**
   * The text that was last kept for a server.
   *
   * @param server its host and port
   * @return null if there is none
   */
  @Nullable String load(String server);

  /** Keeps a text in place of the one before. Must not throw. */
  void keep(String server, String text);
}
