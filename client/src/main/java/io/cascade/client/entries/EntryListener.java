package io.cascade.client.entries;

/** Whoever shows how far a folder has come. Called in the thread that moves it. */
@FunctionalInterface
public interface EntryListener {
  /** Nobody looks. */
  EntryListener SILENT = (path, size) -> {};

  /**
   * The next bytes are those of this file.
   *
   * @param path printable
   * @param size bytes
   */
  void begins(String path, long size);
}
