package io.cascade.client.transfer.connection;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection that writes within a {@link RateLimit}, one piece at a time. */
final class LimitedConnection extends ForwardingConnection {
  private final RateLimit limit;

  LimitedConnection(ByteConnection under, RateLimit limit) {
    super(under);
    this.limit = limit;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return limit.write(under(), from);
  }
}
