package io.cascade.relay.throughput;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;

/** Incompressible bytes, shared by all writes and never copied. */
final class RandomBlock {
  static final int BYTES = 64 << 10;

  private static final ByteBuf BLOCK = fresh();

  private RandomBlock() {}

  /** Returns the first {@code length} bytes; to be released like any other buffer. */
  static ByteBuf first(int length) {
    return BLOCK.retainedSlice(0, length);
  }

  private static ByteBuf fresh() {
    byte[] random = new byte[BYTES];
    new SplittableRandom().nextBytes(random);
    return Unpooled.unreleasableBuffer(Unpooled.directBuffer(BYTES).writeBytes(random));
  }
}
