package io.cascade.client.transfer.connection;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection over which several threads write complete messages, one after the other. */
public final class WholeWrites extends ForwardingConnection {
  private final Object writing = new Object();

  public WholeWrites(ByteConnection under) {
    super(under);
  }

  /** Writes all remaining bytes. */
  @Override
  public int write(ByteBuffer from) throws IOException {
    synchronized (writing) {
      int bytes = from.remaining();
      Channels.writeFully(under(), from);
      return bytes;
    }
  }
}
