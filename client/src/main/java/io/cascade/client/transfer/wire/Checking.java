package io.cascade.client.transfer.wire;

import java.nio.ByteBuffer;

/** Says, while the receiver reads back what it held before, that its answer takes a while. */
public record Checking() implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'W'};

  @Override
  public ByteBuffer encode() {
    return ByteBuffer.wrap(MAGIC).asReadOnlyBuffer();
  }
}
