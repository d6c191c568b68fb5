package io.cascade.client.entries;

import java.io.IOException;

/** Which entries are sent. Folders always are. */
public interface Selection {
  /** All of them. */
  Selection ALL = entry -> true;

  /**
   * Asked once for each file and link, in the order of the walk. May wait for the receiver.
   *
   * @throws IOException where the receiver is gone
   */
  boolean wants(Entry entry) throws IOException;
}
