package io.cascade.coding.control;

/** Mode in which {@link DelayCompete} decides. */
enum ControlMode {
  /**
   * Doubles its window every round trip until a queue builds up or the delivery rate no longer
   * grows.
   */
  START,
  /** Keeps a short queue: alone on the path, or with others that keep it short. */
  DELAY,
  /** Other senders fill the queue: CUBIC on congestion epochs. */
  COMPETE;

  /** Event that changes the mode. */
  enum Event {
    /** The capacity has been found. */
    CAPACITY_FOUND,
    /** Two probes found a queue that is not this sender's. */
    QUEUE_OF_OTHERS,
    /** A probe found the queue empty. */
    EMPTY,
    /** No packet was sent for so long that what is known of the path may no longer hold. */
    IDLE
  }

  /** The mode after an event; the same mode if the event has no effect in it. */
  ControlMode after(Event event) {
    return switch (event) {
      case CAPACITY_FOUND -> this == START ? DELAY : this;
      case QUEUE_OF_OTHERS -> this == DELAY ? COMPETE : this;
      case EMPTY -> this == COMPETE ? DELAY : this;
      case IDLE -> START;
    };
  }
}
