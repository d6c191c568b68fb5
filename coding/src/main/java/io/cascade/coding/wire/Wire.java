package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/** Reads fixed-length fields after checking that they are present. */
final class Wire {
  private Wire() {}

  static void need(ByteBuffer from, int bytes, String what) throws Malformed {
    if (from.remaining() < bytes) {
      throw new Malformed(what + " is cut", from.position());
    }
  }

  static long u32(ByteBuffer from) {
    return from.getInt() & 0xffff_ffffL;
  }

  static int u16(ByteBuffer from) {
    return from.getShort() & 0xffff;
  }

  static int u8(ByteBuffer from) {
    return from.get() & 0xff;
  }
}
