package io.cascade.coding.wire;

import io.cascade.coding.window.GapSet;
import java.nio.ByteBuffer;

/**
 * Report of a receiver: packets for the rate controller, symbols for the code, and the sender's
 * credit.
 *
 * <pre>
 *  type 0x02
 *  acknowledgement number u32        counts up; the newest wins
 *  largest packet number varint
 *  receive time u32                  of the largest packet, in µs of the receiver's clock
 *  delay varint                      from then until this frame was made, in µs
 *  lowest missing symbol varint      everything below is known
 *  seen symbols varint               known ones, and equations over others
 *  credit varint                     the sender may send symbols below
 *  bitmap length u8, bitmap          bit i (from the lowest of the first byte) is the packet
 *                                    largest − 1 − i
 *  unseen                            symbols that are neither known nor seen, oldest first:
 *     skip varint                    the first one, from lowest missing
 *     bitmap length u8, bitmap       bit i is the symbol first + i; length 0 where there is none
 * </pre>
 *
 * @param gaps unseen symbols below the highest received source symbol
 */
public record AckFrame(
    long number,
    long largestPacket,
    long receiveMicros,
    long delayMicros,
    long lowestMissing,
    long seen,
    long credit,
    ArrivalMap arrivals,
    GapSet gaps) {
  public static final int TYPE = 0x02;

  private static final long MOST_SKIP = 1L << 32;

  /** Most bytes of a frame. */
  public static final int MOST_BYTES =
      1 + 4 + 8 + 4 + 8 + 8 + 8 + 8 + 1 + ArrivalMap.MOST_BYTES + 8 + 1 + GapSet.MOST_SPAN / 8;

  public void write(ByteBuffer to) {
    to.put((byte) TYPE);
    to.putInt((int) number);
    Varint.write(to, largestPacket);
    to.putInt((int) receiveMicros);
    Varint.write(to, delayMicros);
    Varint.write(to, lowestMissing);
    Varint.write(to, seen);
    Varint.write(to, credit);
    arrivals.write(to);
    writeGaps(to);
  }

  private void writeGaps(ByteBuffer to) {
    int ranges = gaps.ranges();
    if (ranges == 0) {
      to.put((byte) 0).put((byte) 0);
      return;
    }
    long first = gaps.first(0);
    int span = (int) (gaps.first(ranges - 1) + gaps.length(ranges - 1) - first);
    byte[] bits = new byte[(span + 7) / 8];
    for (int range = 0; range < ranges; range++) {
      for (int i = 0; i < gaps.length(range); i++) {
        int at = (int) (gaps.first(range) - first) + i;
        bits[at >>> 3] |= (byte) (1 << (at & 7));
      }
    }
    Varint.write(to, first - lowestMissing);
    to.put((byte) bits.length);
    to.put(bits);
  }

  /** Parses what follows the type. */
  static AckFrame read(ByteBuffer from) throws Malformed {
    Wire.need(from, 4, "acknowledgement");
    long number = Wire.u32(from);
    long largest = Varint.read(from);
    Wire.need(from, 4, "receive time");
    long receiveMicros = Wire.u32(from);
    long delayMicros = Varint.read(from);
    long lowestMissing = Varint.read(from);
    long seen = Varint.read(from);
    long credit = Varint.read(from);
    ArrivalMap arrivals = ArrivalMap.read(from);
    GapSet gaps = readGaps(from, lowestMissing);
    return new AckFrame(
        number, largest, receiveMicros, delayMicros, lowestMissing, seen, credit, arrivals, gaps);
  }

  private static GapSet readGaps(ByteBuffer from, long lowestMissing) throws Malformed {
    long skip = Varint.read(from);
    Wire.need(from, 1, "unseen");
    int bytes = Wire.u8(from);
    if (skip > MOST_SKIP || bytes > GapSet.MOST_SPAN / 8) {
      throw new Malformed("unseen in " + bytes, from.position());
    }
    Wire.need(from, bytes, "unseen");
    long[] firsts = new long[GapSet.MOST_SYMBOLS];
    int[] lengths = new int[GapSet.MOST_SYMBOLS];
    int ranges = 0;
    int symbols = 0;
    for (int i = 0; i < 8 * bytes; i++) {
      int bits = from.get(from.position() + (i >>> 3));
      if (((bits >>> (i & 7)) & 1) == 0) {
        continue;
      }
      if (++symbols > GapSet.MOST_SYMBOLS) {
        throw new Malformed("unseen beyond " + GapSet.MOST_SYMBOLS, from.position());
      }
      long id = lowestMissing + skip + i;
      if (ranges > 0 && firsts[ranges - 1] + lengths[ranges - 1] == id) {
        lengths[ranges - 1]++;
      } else {
        firsts[ranges] = id;
        lengths[ranges++] = 1;
      }
    }
    from.position(from.position() + bytes);
    return ranges == 0 ? GapSet.EMPTY : new GapSet(firsts, lengths, ranges);
  }
}
