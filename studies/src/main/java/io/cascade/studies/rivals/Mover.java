package io.cascade.studies.rivals;

import java.time.Duration;

/** A way to move the file of a path, ready to be used. */
@FunctionalInterface
public interface Mover {
  /**
   * Moves the file once.
   *
   * @param limit after which it is given up
   * @throws CutOff where it was
   * @throws io.cascade.command.CommandException where it failed
   */
  Moved move(Duration limit) throws Exception;

  /**
   * The file has arrived.
   *
   * @param seconds that it took
   * @param note about its way; may be empty
   */
  record Moved(double seconds, String note) {}

  /** It was not there in time, and was ended. */
  final class CutOff extends Exception {
    CutOff() {
      super("took longer than its limit");
    }
  }
}
