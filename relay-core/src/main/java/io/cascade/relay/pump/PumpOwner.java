package io.cascade.relay.pump;

/** Receiver of a pump's events. Called on the event loop of its stream. */
public interface PumpOwner {
  /** The end of the source has been passed on; nothing is held any more. */
  void finished(Pump pump);

  /** Whether the connections are closed cleanly as soon as this one has finished, too. */
  default boolean endsWith(Pump pump) {
    return false;
  }

  /** A write to the sink failed. */
  void sinkFailed(Pump pump, Throwable cause);

  /** The direction fails for a reason within this relay. */
  void pumpFailed(Pump pump, Throwable cause);

  /** The first byte was written to the sink. */
  void firstByte(Pump pump);

  /**
   * The source failed while its bytes were spliced; with copied bytes, its pipeline reports that.
   */
  void sourceFailed(Pump pump, Throwable cause);
}
