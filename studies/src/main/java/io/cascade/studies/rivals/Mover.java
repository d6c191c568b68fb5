package io.cascade.studies.rivals;

import java.time.Duration;

/** A way to move the file of a path, ready for use. */
@FunctionalInterface
public interface Mover {
  /**
   * Moves the file once.
   *
   * @param limit time after which the transfer is stopped
   * @throws CutOff if it was stopped
   * @throws CutOff if it was stopped
   */
  Moved move(Duration limit) throws Exception;

  /**
   * The file has arrived.
   *
   * @param seconds duration of the transfer
   * @param note on the way that it used; may be empty
   */
  record Moved(double seconds, String note) {}

  /** The transfer exceeded its limit and was stopped. */
  final class CutOff extends Exception {
    CutOff() {
      super("took longer than its limit");
    }
  }
}
