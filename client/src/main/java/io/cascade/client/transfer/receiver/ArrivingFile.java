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

/** Destination of arriving data. Closed without {@link #commit}, it is deleted. */
interface ArrivingFile extends AutoCloseable {
  /** Writes the bytes at an offset. */
  void write(ByteBuffer bytes, long offset) throws TransferFailed;

  /**
   * Leaves a hole, or writes zeros where holes are not supported.
   *
   * @throws TransferFailed where no hole is allowed
   */
  default void leaveHole(long offset, int length) throws TransferFailed {
    throw new TransferFailed("damaged on the way: a hole at offset " + offset);
  }

  /** Writes the content of a slot. */
  default void write(DigestLane.Slot slot, long offset) throws TransferFailed {
    if (slot.isHole()) {
      leaveHole(offset, slot.length());
    } else {
      write(slot.buffer.duplicate(), offset);
    }
  }

  /** Whether arrived bytes are still to be written, also after it was closed. */
  default boolean isBehind() {
    return false;
  }

  /** Reads written bytes, until the buffer is full. */
  void read(ByteBuffer into, long offset) throws TransferFailed;

  /**
   * Waits until a block may be written, up to a time-out. Called without the transfer's lock.
   *
   * @param end of the block
   * @return whether it may, or nothing more will be written
   * @throws TransferFailed where the sender may not send such a block
   */
  default boolean awaitRoom(long end, Duration time) throws TransferFailed, InterruptedException {
    return true;
  }

  /** Whether it holds exactly these bytes there, where something was written. */
  default boolean holds(ByteBuffer content, long offset) throws TransferFailed {
    ByteBuffer stored = ByteBuffer.allocate(content.remaining());
    read(stored, offset);
    return stored.flip().equals(content);
  }

  /** Whether it holds exactly the bytes of a slot. What was recorded as a hole is not read. */
  default boolean holds(DigestLane.Slot slot, long offset) throws TransferFailed {
    return slot.isHole() || holds(slot.buffer, offset);
  }

  /** Whether the digest reads all bytes from this file, once and in order. */
  default boolean isDigestedFromHere() {
    return false;
  }

  /**
   * Waits until everything is written as far as possible before {@link #commit}, up to a time-out.
   * Called without the transfer's lock.
   *
   * @return whether it is
   */
  default boolean awaitWritten(Duration time) throws TransferFailed, InterruptedException {
    return true;
  }

  /** What was created of a stream of entries; null before {@link #commit}, and for a file. */
  default @Nullable Extracted entries() {
    return null;
  }

  /** Sets the consumer of answers to the sender of a stream of entries. */
  default void answers(Consumer<StandingReply> told) {}

  /** Describes what is left after a failure, for the receiver's user. May wait for the disk. */
  default String remains() {
    return "nothing was kept";
  }

  /**
   * The failure of a transfer whose digest differs from the sender's.
   *
   * @param how they differ, in words
   */
  default TransferFailed differs(String how) {
    return new TransferFailed("damaged on the way: " + how);
  }

  /** Advice for the user about a kept file of this path. */
  static String advice(Path target) {
    return PartFile.advice(target);
  }

  /** Gives it its name, atomically. */
  Path commit() throws TransferFailed;

  /** Whether what was written is kept until a later transfer of the same file resumes. */
  default boolean isKept() {
    return false;
  }

  /** What an earlier transfer of the same file, or this one so far, has written. */
  default Extents held() throws TransferFailed {
    return new Extents(0);
  }

  /** Removes damaged extents from what is held. */
  default void strike(List<Extent> damaged) throws TransferFailed {}

  /** Closes it, and keeps what was written if possible. */
  default void keep() {
    close();
  }

  @Override
  void close();
}
