package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Destination of a file's content as it arrives. */
sealed interface EntryContent permits NewFile, FoundFile {
  /** Writes all bytes of the buffer. Offsets ascend, and gaps between them are zeros. */
  void write(ByteBuffer bytes, long offset) throws IOException;

  /** Completes the content, which then has the entry's name. */
  void commit() throws IOException;

  /** Removes what has arrived: it is not wanted, or differs from what the sender has. */
  void drop();

  /** Ends before all has arrived: a part that is large enough is kept for the next stream. */
  void leave();
}
