package io.cascade.packets.forward;

import io.cascade.packets.header.InternetChecksum;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fragments IPv4 packets that are longer than a link's MTU (RFC 791, section 3.2). Every fragment
 * but the first has only the options whose copied flag is set.
 */
final class Fragments {
  private static final int FIXED_HEADER = 20;
  private static final int MORE_FRAGMENTS = 0x2000;
  private static final int OFFSET = 0x1fff;
  private static final int UNIT = 8;
  private static final int END_OF_OPTIONS = 0;
  private static final int NO_OPERATION = 1;
  private static final int COPIED = 0x80;

  private Fragments() {}

  /**
   * @param packet IPv4, and one that may be fragmented
   * @param mtu at least 68, as in RFC 791
   * @return the fragments in order, without those beyond the greatest offset
   */
  static List<IpPacket> of(IpPacket packet, int mtu) {
    List<IpPacket> fragments = new ArrayList<>();
    byte[] bytes = packet.bytes();
    int word = IpPacket.word(bytes, 6);
    int firstUnit = word & OFFSET;
    byte[] header =
        ByteBuffer.allocate(packet.headerLength()).put(bytes, 0, packet.headerLength()).array();
    int at = header.length;
    while (at < bytes.length) {
      int room = (mtu - header.length) / UNIT * UNIT;
      int length = Math.min(room, bytes.length - at);
      boolean isLast = at + length == bytes.length;
      int unit = firstUnit + (at - packet.headerLength()) / UNIT;
      int flags = isLast ? word & MORE_FRAGMENTS : MORE_FRAGMENTS;
      IpPacket fragment = fragment(header, flags | (unit & OFFSET), bytes, at, length);
      if (fragment == null || unit > OFFSET) {
        return fragments;
      }
      fragments.add(fragment);
      at += length;
      header = later(header);
    }
    return fragments;
  }

  private static @Nullable IpPacket fragment(
      byte[] header, int flagsAndOffset, byte[] bytes, int at, int length) {
    ByteBuffer made = ByteBuffer.allocate(header.length + length);
    made.put(header).put(bytes, at, length);
    made.putShort(2, (short) made.capacity()).putShort(6, (short) flagsAndOffset);
    made.putShort(10, (short) 0);
    long sum = InternetChecksum.sum(made.array(), 0, header.length, 0);
    made.putShort(10, (short) InternetChecksum.of(sum));
    return IpPacket.read(made.array(), made.capacity());
  }

  /** The header of a later fragment, padded to whole words. */
  private static byte[] later(byte[] header) {
    ByteBuffer kept = ByteBuffer.allocate(header.length);
    kept.put(header, 0, FIXED_HEADER);
    int at = FIXED_HEADER;
    while (at < header.length && header[at] != END_OF_OPTIONS) {
      if (header[at] == NO_OPERATION) {
        at++;
        continue;
      }
      int length = at + 1 < header.length ? header[at + 1] & 0xff : 0;
      if (length < 2 || at + length > header.length) {
        break;
      }
      if ((header[at] & COPIED) != 0) {
        kept.put(header, at, length);
      }
      at += length;
    }
    int words = (kept.position() + 3) / 4;
    kept.put(0, (byte) (0x40 | words));
    return ByteBuffer.allocate(4 * words).put(kept.array(), 0, 4 * words).array();
  }
}
