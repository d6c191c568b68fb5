package io.cascade.packets.header;

import io.cascade.packets.header.TcpOptions.SackBlock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a changed copy of a packet, with its TCP checksum updated word by word (RFC 1624), so that
 * a segment that was damaged before stays damaged. Lengths do not change.
 */
public final class TcpRewrite {
  private static final int MOST_HEADER = 60;

  private final byte[] bytes;
  private final int tcp;
  private final TcpPacket copy;

  private TcpRewrite(byte[] bytes, int tcp) {
    this.bytes = bytes;
    this.tcp = tcp;
    this.copy = new TcpPacket(bytes, tcp);
  }

  public static TcpRewrite of(TcpPacket packet) {
    return new TcpRewrite(packet.bytes().clone(), packet.tcpOffset());
  }

  /** Lowers the maximum segment size that a SYN announces; an absent or smaller one stays. */
  public TcpRewrite clampMaximumSegmentSize(int most) {
    int at = copy.options().find(TcpOptions.MAXIMUM_SEGMENT_SIZE, 4);
    if (at >= 0 && (((bytes[at + 2] & 0xff) << 8) | (bytes[at + 3] & 0xff)) > most) {
      setWord(at + 2, most);
    }
    return this;
  }

  /**
   * Replaces the blocks of the SACK option: by as many as it has room for, the first ones. The rest
   * of the option, or all of it without blocks, is filled with no-operation options. Does nothing
   * if there is no SACK option.
   */
  public TcpRewrite sackBlocks(List<SackBlock> blocks) {
    TcpOptions options = copy.options();
    int at = options.find(TcpOptions.SACK, -1);
    if (at < 0) {
      return this;
    }
    int end = at + options.length(at);
    int count = Math.min(blocks.size(), (end - at - 2) / 8);
    int next = at;
    if (count > 0) {
      setByte(at + 1, 2 + 8 * count);
      next = at + 2;
      for (SackBlock block : blocks.subList(0, count)) {
        setNumber(next, block.start());
        setNumber(next + 4, block.end());
        next += 8;
      }
    }
    while (next < end) {
      setByte(next++, TcpOptions.NO_OPERATION);
    }
    return this;
  }

  /** Replaces the option that begins there by no-operation options. */
  public TcpRewrite blankOption(int at) {
    int end = at + copy.options().length(at);
    for (int each = at; each < end; each++) {
      setByte(each, TcpOptions.NO_OPERATION);
    }
    return this;
  }

  /**
   * Returns a copy with one more option, before all others, since it would not be read after an end
   * of options.
   *
   * @param option complete, a multiple of 4 bytes
   * @return null if the TCP header has no room for it, or the packet is not IPv4
   */
  public static @Nullable TcpPacket withOption(TcpPacket packet, byte[] option) {
    byte[] before = packet.bytes();
    int tcp = packet.tcpOffset();
    int header = ((before[tcp + 12] >>> 4) & 0xf) * 4;
    if (before[0] >>> 4 != 4
        || option.length % 4 != 0
        || header + option.length > MOST_HEADER
        || before.length + option.length > 0xffff) {
      return null;
    }
    byte[] after = new byte[before.length + option.length];
    int at = tcp + TcpPacket.LEAST_HEADER;
    System.arraycopy(before, 0, after, 0, at);
    System.arraycopy(option, 0, after, at, option.length);
    System.arraycopy(before, at, after, at + option.length, before.length - at);
    TcpRewrite rewrite = new TcpRewrite(after, tcp);
    int checksum = rewrite.word(tcp + 16);
    for (int i = at; i < at + option.length; i += 2) {
      checksum = InternetChecksum.updated(checksum, 0, rewrite.word(i));
    }
    // The length in the pseudo header.
    checksum = InternetChecksum.updated(checksum, before.length - tcp, after.length - tcp);
    after[tcp + 16] = (byte) (checksum >>> 8);
    after[tcp + 17] = (byte) checksum;
    rewrite.setByte(tcp + 12, (((header + option.length) / 4) << 4) | (after[tcp + 12] & 0xf));
    int ip = InternetChecksum.updated(rewrite.word(10), rewrite.word(2), after.length);
    after[2] = (byte) (after.length >>> 8);
    after[3] = (byte) after.length;
    after[10] = (byte) (ip >>> 8);
    after[11] = (byte) ip;
    return new TcpPacket(after, tcp); // Its payload begins later.
  }

  public TcpPacket packet() {
    return copy;
  }

  private TcpRewrite setNumber(int at, int number) {
    setWord(at, number >>> 16);
    return setWord(at + 2, number & 0xffff);
  }

  private TcpRewrite setWord(int at, int value) {
    setByte(at, value >>> 8);
    return setByte(at + 1, value & 0xff);
  }

  /**
   * Options may begin at odd offsets, so the words that the checksum sums are determined for each
   * byte.
   */
  private TcpRewrite setByte(int at, int value) {
    int word = at - (at - tcp) % 2;
    int before = word(word);
    bytes[at] = (byte) value;
    int checksum = InternetChecksum.updated(word(tcp + 16), before, word(word));
    bytes[tcp + 16] = (byte) (checksum >>> 8);
    bytes[tcp + 17] = (byte) checksum;
    return this;
  }

  /** A zero follows the last byte of a packet of odd length. */
  private int word(int at) {
    return ((bytes[at] & 0xff) << 8) | (at + 1 < bytes.length ? bytes[at + 1] & 0xff : 0);
  }
}
