package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import java.io.IOException;

/** Makes the connections of pipes over one route to the far junction. */
public interface PipeDialler {
  /** Name of the route for people, such as {@code direct} or {@code via den, sea}. */
  String name();

  /**
   * Connects, with the far junction at the other end sooner or later.
   *
   * @throws Unavailable where the route itself does not exist now
   */
  BlockingConnection connect() throws IOException;

  /** The route does not exist now; whoever keeps it says why. */
  final class Unavailable extends IOException {
    public Unavailable(String message) {
      super(message);
    }
  }

  /**
   * Number of the route as it is now, which changes when it leads elsewhere: pipes made before are
   * then replaced.
   */
  default long route() {
    return 0;
  }

  /** Whether another dialler leads to the same end by the same path: no stream depends on it. */
  default boolean isSpare() {
    return false;
  }

  /** A pipe over it could not be made, or broke. */
  default void failed() {}

  /** A pipe over it was accepted by the far junction. */
  default void worked() {}

  /** The junction has ended. */
  default void ended() {}
}
