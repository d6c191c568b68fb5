package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/**
 * The symbols that a repair covers, and the key of its coefficients: the Repair FEC Payload ID of
 * RFC 8681 §4.1.2, preceded by an acknowledgement's number in a GAP packet.
 *
 * <pre>
 *  GAP only:  acknowledgement u32
 *  both:      repair key u16 | density 4 bits, count 12 bits | first symbol id u32 | symbol
 * </pre>
 *
 * @param acknowledgement number of the receiver's acknowledgement whose gaps below {@code first}
 *     are also covered, or {@link #NO_GAPS}
 * @param count symbols from {@code first} on; 0 only in a GAP packet
 */
public record RepairHeader(
    long acknowledgement, int repairKey, int density, int count, long first) {
  public static final long NO_GAPS = -1;

  /** The length of the longer form. */
  public static final int MOST_BYTES = 12;

  public PacketType type() {
    return acknowledgement == NO_GAPS ? PacketType.SLIDING : PacketType.GAP;
  }

  public void write(ByteBuffer to) {
    if (acknowledgement != NO_GAPS) {
      to.putInt((int) acknowledgement);
    }
    to.putShort((short) repairKey);
    to.putShort((short) ((density << 12) | count));
    to.putInt((int) first);
  }

  /** Parses the header; the rest must be the symbol. */
  public static RepairHeader read(ByteBuffer from, PacketType type, int symbolBytes)
      throws Malformed {
    boolean gap = type == PacketType.GAP;
    Wire.need(from, gap ? MOST_BYTES : MOST_BYTES - 4, "repair header");
    int at = from.position();
    long acknowledgement = gap ? Wire.u32(from) : NO_GAPS;
    int key = Wire.u16(from);
    int densityAndCount = Wire.u16(from);
    int count = densityAndCount & 0xfff;
    if ((!gap && count == 0) || from.remaining() != symbolBytes + 4) {
      throw new Malformed("repair over " + count + " symbols", at);
    }
    return new RepairHeader(acknowledgement, key, densityAndCount >> 12, count, Wire.u32(from));
  }
}
