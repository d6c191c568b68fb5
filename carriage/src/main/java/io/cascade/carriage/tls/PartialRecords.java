package io.cascade.carriage.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Received bytes of TLS records that cannot be opened yet: at most one record after the handshake,
 * and during it a bounded number of bytes. Used on the connection's event loop.
 */
final class PartialRecords {
  /**
   * A handshake's messages take a few KiB, and one round of reads may include the stream's first
   * bytes after them; a peer that sends more is not performing a handshake.
   */
  private static final int MOST_BYTES = 128 * 1_024;

  private @Nullable ByteBuf held;

  /** Returns the held bytes; null if there are none. */
  @Nullable ByteBuf bytes() {
    return held;
  }

  /** Memory of the held bytes, in bytes. */
  int memoryBytes() {
    ByteBuf now = held;
    return now == null ? 0 : now.capacity();
  }

  /**
   * If bytes are held, appends bytes to them until their first record is complete.
   *
   * @param all appends all bytes
   */
  void complete(ByteBuf bytes, boolean all) throws SSLException {
    ByteBuf before = held;
    if (before == null) {
      return;
    }
    while (bytes.isReadable() && (all || missing(before) > 0)) {
      int part = all ? bytes.readableBytes() : Math.min(missing(before), bytes.readableBytes());
      append(before, bytes, part);
    }
    if (before.readableBytes() > MOST_BYTES) {
      throw new SSLException("too many bytes before the handshake's end");
    }
  }

  /** Holds all of {@code bytes}, after those that are already held. */
  void hold(ByteBufAllocator allocator, ByteBuf bytes) {
    ByteBuf before = held;
    if (before == null) {
      held = allocator.directBuffer(bytes.readableBytes()).writeBytes(bytes);
    } else {
      append(before, bytes, bytes.readableBytes());
    }
  }

  private static void append(ByteBuf to, ByteBuf bytes, int length) {
    to.capacity(to.writerIndex() + length).writeBytes(bytes, length);
  }

  /** Releases the held bytes. */
  void drop() {
    ByteBuf before = held;
    if (before != null) {
      held = null;
      before.release();
    }
  }

  /** Bytes that the first record lacks, as far as known; zero if it is complete. */
  private static int missing(ByteBuf from) throws SSLException {
    int readable = from.readableBytes();
    return readable < TlsEngine.HEAD
        ? TlsEngine.HEAD - readable
        : Math.max(0, recordLength(from) - readable);
  }

  /** Length in bytes of the record at the front, including its header. */
  static int recordLength(ByteBuf from) throws SSLException {
    return recordLength(from, from.readerIndex());
  }

  private static int recordLength(ByteBuf from, int at) throws SSLException {
    int length = TlsEngine.HEAD + from.getUnsignedShort(at + 3);
    if (length > TlsEngine.MOST_RECORD) {
      throw new SSLException("a record of " + length + " bytes (expected: at most 16 KiB)");
    }
    return length;
  }

  /** Length in bytes of all complete records at the front. */
  static int wholeRecords(ByteBuf from) throws SSLException {
    int at = from.readerIndex();
    int end = from.writerIndex();
    while (end - at >= TlsEngine.HEAD && end - at >= recordLength(from, at)) {
      at += recordLength(from, at);
    }
    return at - from.readerIndex();
  }
}
