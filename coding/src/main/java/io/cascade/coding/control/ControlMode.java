package io.cascade.coding.control;

/** Mode in which {@link DelayCompete} decides. */
enum ControlMode {
  /** Doubles its window every round trip until a queue stands or nothing more arrives. */
  START,
  /** Keeps a short queue: alone on the path, or with others that keep it short. */
  DELAY,
  /** Somebody else fills the queue: CUBIC on congestion epochs. */
  COMPETE;

  /** Event that changes the mode. */
  enum Event {
    /** The capacity has been found. */
    CAPACITY_FOUND,
    /** Probes twice found a queue that is not ours. */
    QUEUE_OF_OTHERS,
    /** A probe found the queue empty. */
    EMPTY,
    /** Nothing was sent for so long that what is known of the path may be wrong. */
    IDLE
  }

  /** The mode after an event; the same where the event means nothing here. */
  ControlMode after(Event event) {
    return switch (event) {
      case CAPACITY_FOUND -> this == START ? DELAY : this;
      case QUEUE_OF_OTHERS -> this == DELAY ? COMPETE : this;
      case EMPTY -> this == COMPETE ? DELAY : this;
      case IDLE -> START;
    };
  }
}
