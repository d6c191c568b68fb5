package io.cascade.client.transfer.wire;

import java.nio.ByteBuffer;

/** Keep-alive of a receiver that reads back what it held before its answer. */
public record Checking() implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'W'};

  @Override
  public ByteBuffer encode() {
    return ByteBuffer.wrap(MAGIC).asReadOnlyBuffer();
  }
}
