package io.cascade.relay.pump;

/** Receiver of what a pump has to tell. Called on the event loop of its stream. */
public interface PumpOwner {
  /** The end of the source has been passed on; nothing is held any more. */
  void finished(Pump pump);

  /** Whether the connections are closed in good order as soon as this one has finished, too. */
  default boolean endsWith(Pump pump) {
    return false;
  }

  /** The sink did not take what it was given. */
  void sinkFailed(Pump pump, Throwable cause);

  /** The direction cannot go on for a reason of this relay's own. */
  void pumpFailed(Pump pump, Throwable cause);

  /** The first byte was handed to the sink. */
  void firstByte(Pump pump);

  /** The source broke while its bytes were spliced; copied ones bring that to its pipeline. */
  void sourceFailed(Pump pump, Throwable cause);
}
