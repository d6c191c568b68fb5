package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import java.io.IOException;

/** Dials the connections of pipes over one route to the far junction. */
public interface PipeDialler {
  /** Name of the route for people, such as {@code direct} or {@code via den, sea}. */
  String name();

  /**
   * Connects to the far junction; a relay on the route may accept before the far junction does.
   *
   * @throws Unavailable where the route itself does not exist now
   */
  BlockingConnection connect() throws IOException;

  /** The route does not exist now; the object that maintains it reports why. */
  final class Unavailable extends IOException {
    public Unavailable(String message) {
      super(message);
    }
  }

  /**
   * Number of the present route, which changes with the route: existing pipes are then replaced.
   */
  default long route() {
    return 0;
  }

  /**
   * Whether another dialler uses the same path to the same end, so that no stream depends on this
   * one.
   */
  default boolean isSpare() {
    return false;
  }

  /** A pipe over it could not be made, or failed. */
  default void failed() {}

  /** The far junction accepted a pipe over it. */
  default void worked() {}

  /** The junction has ended. */
  default void ended() {}
}
