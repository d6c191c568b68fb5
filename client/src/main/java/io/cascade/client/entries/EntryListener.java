package io.cascade.client.entries;

/** Displays the progress of a folder's transfer. Called on the thread that moves its bytes. */
@FunctionalInterface
public interface EntryListener {
  /** Ignores all calls. */
  EntryListener SILENT = (path, size) -> {};

  /**
   * The next bytes belong to this file.
   *
   * @param path printable
   * @param size bytes
   */
  void begins(String path, long size);
}
