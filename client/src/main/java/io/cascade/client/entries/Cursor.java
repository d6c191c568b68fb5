package io.cascade.client.entries;

import java.time.Instant;

/**
 * How far a stream has come at its receiver.
 *
 * @param path of the last entry that stands whole
 * @param size bytes of that
 * @param modified its time of modification
 * @param offset bytes of the stream up to the end of that entry
 */
public record Cursor(String path, long size, Instant modified, long offset) {
  /** Whether it is at this entry. */
  boolean isAt(Entry entry, long end) {
    return end == offset
        && path.equals(entry.path())
        && size == entry.size()
        && modified.equals(entry.modified());
  }
}
