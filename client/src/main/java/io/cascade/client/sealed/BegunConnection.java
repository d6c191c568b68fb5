package io.cascade.client.sealed;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.ForwardingConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection whose first byte was read ahead and is returned again by the first read. */
final class BegunConnection extends ForwardingConnection {
  private final byte first;
  private boolean given;

  private BegunConnection(ByteConnection under, byte first) {
    super(under);
    this.first = first;
  }

  /** Waits for the first byte. */
  static BegunConnection of(ByteConnection under) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(1);
    if (under.read(first) < 0) {
      throw new EOFException("ended before it began");
    }
    return new BegunConnection(under, first.get(0));
  }

  byte first() {
    return first;
  }

  /** Must be called by one thread only until the first byte was read. */
  @Override
  public int read(ByteBuffer into) throws IOException {
    if (given || !into.hasRemaining()) {
      return super.read(into);
    }
    given = true;
    into.put(first);
    return 1;
  }
}
