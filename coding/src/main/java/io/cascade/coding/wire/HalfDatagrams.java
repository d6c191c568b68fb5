package io.cascade.coding.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Splits datagrams that are too long for the path into two, and joins the halves that arrive. A
 * half is sealed with its datagram and not by itself: a forged one corrupts the datagram that it is
 * joined to, which has the same effect as losing it.
 *
 * <pre>
 *  0      1 byte      0 1 1 0 0 0 0 I     I 0 for the first half, 1 for the second
 *  1      4 bytes     connection id of the datagram
 *  5      2 bytes     number of the pair, its low bytes
 *  7      …           bytes of the datagram
 * </pre>
 *
 * Stores 64 halves that wait for the other one. Used by one thread.
 */
public final class HalfDatagrams {
  /** Bytes that each half has besides half of its datagram. */
  public static final int HEADER_BYTES = 7;

  private static final int FIRST_BYTE = 0x60;
  private static final int ID_AT = 1;
  private static final int WAITING = 64;
  private static final int MOST_BYTES = 1 << 14;

  private final @Nullable Half[] waiting = new Half[WAITING];
  private int next;

  @SuppressWarnings("ArrayRecordComponent") // used in this class only, and never changed
  private record Half(int pair, int index, byte[] bytes) {}

  /** Whether a datagram's first byte is that of a half. */
  public static boolean isOne(ByteBuffer datagram) {
    return datagram.remaining() > HEADER_BYTES
        && (datagram.get(datagram.position()) & 0xfe) == FIRST_BYTE;
  }

  /** Returns the number of the next pair. */
  public int nextPair() {
    return next++ & 0xffff;
  }

  /**
   * Writes one half of a datagram.
   *
   * @param index 0 or 1
   * @param datagram of a session, from its position to its limit; not consumed
   */
  public static void write(int pair, int index, ByteBuffer datagram, ByteBuffer into) {
    int half = (datagram.remaining() + 1) / 2;
    int from = datagram.position() + (index == 0 ? 0 : half);
    int to = index == 0 ? datagram.position() + half : datagram.limit();
    into.put((byte) (FIRST_BYTE | index));
    into.putInt(datagram.getInt(datagram.position() + ID_AT));
    into.putShort((short) pair);
    into.put(datagram.slice(from, to - from));
  }

  /**
   * Takes a half.
   *
   * @param half consumed
   * @return the datagram, if the other half has arrived before; otherwise null
   */
  public @Nullable ByteBuffer join(ByteBuffer half) {
    if (!isOne(half) || half.remaining() > MOST_BYTES) {
      return null;
    }
    int index = half.get() & 1;
    int id = half.getInt();
    int pair = half.getShort() & 0xffff;
    byte[] bytes = new byte[half.remaining()];
    half.get(bytes);
    Half other = waiting[pair % WAITING];
    if (other == null || other.pair() != pair || other.index() == index) {
      waiting[pair % WAITING] = new Half(pair, index, bytes);
      return null;
    }
    waiting[pair % WAITING] = null;
    byte[] first = index == 0 ? bytes : other.bytes();
    byte[] second = index == 0 ? other.bytes() : bytes;
    ByteBuffer joined = ByteBuffer.allocate(first.length + second.length).put(first).put(second);
    joined.flip();
    boolean isWhole = joined.remaining() > ID_AT + Integer.BYTES && joined.getInt(ID_AT) == id;
    return isWhole ? joined : null;
  }
}
