package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What becomes of a file's content as it arrives. */
sealed interface EntryContent permits NewFile, FoundFile {
  /** Takes all bytes of the buffer. Offsets ascend, and what is between is zeros. */
  void write(ByteBuffer bytes, long offset) throws IOException;

  /** Gives the content its name: all has arrived. */
  void commit() throws IOException;

  /** Removes what has arrived: it is not wanted, or not what the sender has. */
  void drop();

  /** Ends without the rest: what is worth it stays for the next stream. */
  void leave();
}
