package io.cascade.client.forward;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A way to the far junction, over which pipes are made. */
public interface Route {
  /** What people call it, such as {@code direct} or {@code via den, sea}. */
  String name();

  /**
   * Connects, with the far junction at the other end sooner or later.
   *
   * @throws NotThere where the route itself does not exist now
   */
  SocketChannel connect() throws IOException;

  /** The route does not exist now; whoever keeps it says why. */
  final class NotThere extends IOException {
    public NotThere(String message) {
      super(message);
    }
  }

  /** A pipe over it could not be made, or broke. */
  default void failed() {}

  /** A pipe over it was accepted by the far junction. */
  default void worked() {}
}
