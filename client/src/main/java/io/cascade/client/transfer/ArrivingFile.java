package io.cascade.client.transfer;

import io.cascade.client.transfer.Extents.Extent;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Where an {@link Arrival} writes what arrives. Closed without {@link #commit}, it vanishes. */
interface ArrivingFile extends AutoCloseable {
  /** Writes the bytes at an offset. */
  void write(ByteBuffer bytes, long offset) throws TransferFailed;

  /** Reads what was written, until the buffer is full. */
  void read(ByteBuffer into, long offset) throws TransferFailed;

  /** Gives it its name, in one step. */
  Path commit() throws TransferFailed;

  /** Whether what was written stays until a later transfer of the same file goes on with it. */
  default boolean isKept() {
    return false;
  }

  /** What an earlier transfer of the same file, or this one up to now, has written. */
  default Extents held() throws TransferFailed {
    return new Extents(0);
  }

  /** Forgets parts of what is held, since they are not what was written. */
  default void strike(List<Extent> damaged) throws TransferFailed {}

  /** Closes it, and keeps what was written where that is possible. */
  default void keep() {
    close();
  }

  @Override
  void close();
}
