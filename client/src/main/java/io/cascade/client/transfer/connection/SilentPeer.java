package io.cascade.client.transfer.connection;

import java.io.IOException;

/** Whoever took a connection said nothing for as long as a receiver may take for its first word. */
public final class SilentPeer extends IOException {
  private static final long serialVersionUID = 1;

  public SilentPeer(IOException cause) {
    super("nothing was said over the connection", cause);
  }
}
