package io.cascade.client.transfer.connection;

import java.io.IOException;

/** The peer sent nothing within the time-out of a receiver's first message. */
public final class SilentPeer extends IOException {
  private static final long serialVersionUID = 1;

  public SilentPeer(IOException cause) {
    super("nothing was said over the connection", cause);
  }
}
