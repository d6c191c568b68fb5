package io.cascade.coding.wire;

import io.cascade.coding.window.GapSet;
import java.nio.ByteBuffer;

/**
 * What a receiver has: packets for the rate controller, symbols for the code, and how far the
 * sender may go.
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
 *  ranges u8, then each              unseen symbols, oldest first
 *     skip varint                    from the end of the range before; the first from lowest missing
 *     length varint                  at least 1
 * </pre>
 *
 * @param gaps unseen symbols below the highest source symbol received
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

  /** Most bytes of a frame. */
  public static final int MOST_BYTES =
      1 + 4 + 8 + 4 + 8 + 8 + 8 + 8 + 1 + ArrivalMap.MOST_BYTES + 1 + GapSet.MOST_RANGES * 12;

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
    to.put((byte) gaps.ranges());
    long at = lowestMissing;
    for (int i = 0; i < gaps.ranges(); i++) {
      Varint.write(to, gaps.first(i) - at);
      Varint.write(to, gaps.length(i));
      at = gaps.first(i) + gaps.length(i);
    }
  }

  /** Reads what follows the type. */
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
    Wire.need(from, 1, "ranges");
    int ranges = Wire.u8(from);
    if (ranges > GapSet.MOST_RANGES) {
      throw new Malformed(ranges + " ranges", from.position());
    }
    long[] firsts = new long[ranges];
    int[] lengths = new int[ranges];
    long at = lowestMissing;
    int symbols = 0;
    for (int i = 0; i < ranges; i++) {
      long skip = Varint.read(from);
      long length = Varint.read(from);
      if (length < 1 || symbols + length > GapSet.MOST_SYMBOLS || skip > 1L << 32) {
        throw new Malformed("range of " + length, from.position());
      }
      firsts[i] = at + skip;
      lengths[i] = (int) length;
      symbols += (int) length;
      at = firsts[i] + length;
    }
    return ranges == 0 ? GapSet.EMPTY : new GapSet(firsts, lengths, ranges);
  }
}
