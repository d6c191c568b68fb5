package io.cascade.packets.header;

import java.util.ArrayList;
import java.util.List;

/**
 * The options of a TCP header (RFC 9293, section 3.2). A malformed option ends them: earlier ones
 * count, later ones do not.
 */
public final class TcpOptions {
  static final int END = 0;
  static final int NO_OPERATION = 1;
  static final int MAXIMUM_SEGMENT_SIZE = 2;
  static final int SACK_PERMITTED = 4;
  static final int SACK = 5;

  private static final int ABSENT = -1;

  private final byte[] bytes;
  private final int from;
  private final int to;

  TcpOptions(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  /** A range of octets that the receiver holds out of order, the end exclusive (RFC 2018). */
  public record SackBlock(int start, int end) {}

  public boolean sackPermitted() {
    return find(SACK_PERMITTED, 2) != ABSENT;
  }

  /** The blocks of a SACK option, the latest first; empty if there are none. */
  public List<SackBlock> sackBlocks() {
    int at = find(SACK, ABSENT);
    if (at == ABSENT) {
      return List.of();
    }
    List<SackBlock> blocks = new ArrayList<>(4);
    int end = at + length(at);
    for (int block = at + 2; block + 8 <= end; block += 8) {
      blocks.add(new SackBlock(number(block), number(block + 4)));
    }
    return blocks;
  }

  /**
   * Offset of an option in the packet; -1 where there is none.
   *
   * @param length required length, or -1 for any
   */
  public int find(int kind, int length) {
    int at = from;
    while (at < to && bytes[at] != END) {
      if (bytes[at] == NO_OPERATION) {
        at++;
        continue;
      }
      if (at + 1 >= to || length(at) < 2 || at + length(at) > to) {
        return ABSENT;
      }
      if ((bytes[at] & 0xff) == kind && (length == ABSENT || length(at) == length)) {
        return at;
      }
      at += length(at);
    }
    return ABSENT;
  }

  int length(int at) {
    return bytes[at + 1] & 0xff;
  }

  private int number(int at) {
    return ((bytes[at] & 0xff) << 24)
        | ((bytes[at + 1] & 0xff) << 16)
        | ((bytes[at + 2] & 0xff) << 8)
        | (bytes[at + 3] & 0xff);
  }
}
