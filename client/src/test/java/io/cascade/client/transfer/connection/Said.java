package io.cascade.client.transfer.connection;

import java.nio.ByteBuffer;

/** A connection whose peer has said all that it will. */
public final class Said implements ByteConnection {
  private final ByteBuffer said;

  public Said(byte[] said) {
    this.said = ByteBuffer.wrap(said);
  }

  @Override
  public int read(ByteBuffer into) {
    int length = Math.min(into.remaining(), said.remaining());
    into.put(said.slice(said.position(), length));
    said.position(said.position() + length);
    return length == 0 && into.hasRemaining() ? -1 : length;
  }

  @Override
  public int write(ByteBuffer from) {
    int length = from.remaining();
    from.position(from.limit());
    return length;
  }

  @Override
  public void shutdownOutput() {}

  @Override
  public void reset() {}

  @Override
  public String peer() {
    return "a peer";
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
