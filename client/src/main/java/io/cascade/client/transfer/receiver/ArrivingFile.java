package io.cascade.client.transfer.receiver;

import io.cascade.client.entries.Extracted;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.content.Extents;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.wire.StandingReply;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a receiver writes what arrives. Closed without {@link #commit}, it vanishes. */
interface ArrivingFile extends AutoCloseable {
  /** Writes the bytes at an offset. */
  void write(ByteBuffer bytes, long offset) throws TransferFailed;

  /**
   * Leaves a hole there, or writes zeros where that cannot be.
   *
   * @throws TransferFailed where no hole may come
   */
  default void leaveHole(long offset, int length) throws TransferFailed {
    throw new TransferFailed("damaged on the way: a hole at offset " + offset);
  }

  /** Writes what is in a slot. */
  default void write(DigestLane.Slot slot, long offset) throws TransferFailed {
    if (slot.isHole()) {
      leaveHole(offset, slot.length());
    } else {
      write(slot.buffer.duplicate(), offset);
    }
  }

  /** Whether bytes that have come are still to be written, also after it was closed. */
  default boolean isBehind() {
    return false;
  }

  /** Reads what was written, until the buffer is full. */
  void read(ByteBuffer into, long offset) throws TransferFailed;

  /**
   * Waits until a block may be written, but not longer than that. Without the transfer's lock.
   *
   * @param end of the block
   * @return whether it may, or nothing more will be written
   * @throws TransferFailed where it is not one that the sender may send
   */
  default boolean awaitRoom(long end, Duration time) throws TransferFailed, InterruptedException {
    return true;
  }

  /** Whether it has these bytes there, where something was written. */
  default boolean holds(ByteBuffer content, long offset) throws TransferFailed {
    ByteBuffer stored = ByteBuffer.allocate(content.remaining());
    read(stored, offset);
    return stored.flip().equals(content);
  }

  /** The same of what is in a slot. What was recorded as a hole is not read. */
  default boolean holds(DigestLane.Slot slot, long offset) throws TransferFailed {
    return slot.isHole() || holds(slot.buffer, offset);
  }

  /** Whether the digest reads all bytes from here, once and in order. */
  default boolean isDigestedFromHere() {
    return false;
  }

  /**
   * Waits until what was written stands as far as it can before {@link #commit}, but not longer
   * than that. Without the transfer's lock.
   *
   * @return whether it does
   */
  default boolean awaitWritten(Duration time) throws TransferFailed, InterruptedException {
    return true;
  }

  /** What stands of a stream of entries; null before {@link #commit}, and for a file. */
  default @Nullable Extracted entries() {
    return null;
  }

  /** The sender of a stream of entries hears what stands here already. */
  default void answers(Consumer<StandingReply> told) {}

  /** What is left of it after a failure, for the receiver's user. May wait for the disk. */
  default String remains() {
    return "nothing was kept";
  }

  /**
   * Why a transfer fails of which the digest is not the sender's.
   *
   * @param how they differ, in words
   */
  default TransferFailed differs(String how) {
    return new TransferFailed("damaged on the way: " + how);
  }

  /** What a user is told of a file of this path that is kept. */
  static String advice(Path target) {
    return PartFile.advice(target);
  }

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
