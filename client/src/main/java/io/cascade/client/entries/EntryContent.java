package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What becomes of a file's content as it arrives. */
sealed interface EntryContent permits NewFile, FoundFile {
  /** Takes all bytes of the buffer. */
  void write(ByteBuffer bytes) throws IOException;

  /** All has arrived. */
  void commit() throws IOException;

  /** It is not wanted, or not whole. */
  void drop();
}
