package io.cascade.relay.pump;

/** States of a direction. Only {@link #after} changes them. */
enum PumpState {
  /** There is no sink; incoming bytes are kept. */
  HOLDING,
  /** {@link #HOLDING}, and the source has ended. */
  HOLDING_ALL,
  /** The sink has not confirmed the stream; bytes written to it are also kept for another one. */
  OFFERED,
  /** {@link #OFFERED}, and the source has ended. */
  OFFERED_ALL,
  /** Bytes are passed on as they arrive. */
  FLOWING,
  /** The source has ended; its end is passed on after all earlier bytes. */
  ENDING,
  /** The source failed; earlier bytes are passed on, but no end. */
  DRAINING,
  /** All bytes of a failed source were passed on. */
  DRAINED,
  /** Everything was passed on, and the end is being passed on. */
  FINISHING,
  /** The end was passed on. */
  FINISHED,
  /** Abandoned; nothing is held. */
  DISCARDED;

  /** Events of a direction. */
  enum Event {
    /** There is a sink that must confirm the stream. */
    SINK_OFFERED,
    /** There is a sink that need not confirm the stream. */
    SINK_READY,
    /** The sink that was offered the stream has confirmed it. */
    SINK_CONFIRMED,
    /** The sink that was offered the stream has ended. */
    SINK_LOST,
    SOURCE_ENDED,
    SOURCE_BROKE,
    /** All bytes were passed on. */
    EMPTIED,
    /** The sink's output has ended. */
    END_PASSED,
    /** The direction is no longer needed. */
    DISCARD
  }

  /** Whether the source may still deliver bytes. */
  boolean isSourceOpen() {
    return this == HOLDING || this == OFFERED || this == FLOWING;
  }

  /** Whether incoming bytes are still needed; bytes of an ended source may still arrive. */
  boolean takesBytes() {
    return isSourceOpen() || this == HOLDING_ALL || this == OFFERED_ALL || this == ENDING;
  }

  /** Whether bytes may be written to the sink. */
  boolean hasSink() {
    return isOffered() || isConfirmed();
  }

  /** Whether the sink has not confirmed the stream yet. */
  boolean isOffered() {
    return this == OFFERED || this == OFFERED_ALL;
  }

  /** Whether bytes are passed on for good. */
  boolean isConfirmed() {
    return this == FLOWING || this == ENDING || this == DRAINING;
  }

  /** Whether nothing is held any longer and nothing will be. */
  boolean isOver() {
    return this == FINISHING || this == FINISHED || this == DISCARDED;
  }

  /**
   * Returns the state that follows.
   *
   * @throws IllegalStateException for an event that cannot happen here, such as a second sink
   */
  PumpState after(Event event) {
    if (this == DISCARDED && event != Event.END_PASSED) {
      return DISCARDED;
    }
    return switch (event) {
      case SINK_OFFERED ->
          switch (this) {
            case HOLDING, OFFERED -> OFFERED;
            case HOLDING_ALL, OFFERED_ALL -> OFFERED_ALL;
            default -> throw impossible(event);
          };
      case SINK_READY ->
          switch (this) {
            case HOLDING, OFFERED -> FLOWING;
            case HOLDING_ALL, OFFERED_ALL -> ENDING;
            default -> throw impossible(event);
          };
      case SINK_CONFIRMED ->
          switch (this) {
            case OFFERED -> FLOWING;
            case OFFERED_ALL -> ENDING;
            default -> throw impossible(event);
          };
      case SINK_LOST ->
          switch (this) {
            case HOLDING, OFFERED -> HOLDING;
            case HOLDING_ALL, OFFERED_ALL -> HOLDING_ALL;
            default -> throw impossible(event);
          };
      case SOURCE_ENDED ->
          switch (this) {
            case HOLDING -> HOLDING_ALL;
            case OFFERED -> OFFERED_ALL;
            case FLOWING -> ENDING;
            default -> this; // reported twice, or implied by a failure
          };
      case SOURCE_BROKE ->
          switch (this) {
            case FLOWING, ENDING -> DRAINING;
            case HOLDING, HOLDING_ALL, OFFERED, OFFERED_ALL -> DISCARDED;
            default -> this;
          };
      case EMPTIED ->
          switch (this) {
            case ENDING -> FINISHING;
            case DRAINING -> DRAINED;
            default -> this; // more may arrive
          };
      case END_PASSED ->
          switch (this) {
            case FINISHING -> FINISHED;
            default -> throw impossible(event);
          };
      case DISCARD ->
          switch (this) {
            case FINISHING, FINISHED -> this; // they hold nothing
            default -> DISCARDED;
          };
    };
  }

  private IllegalStateException impossible(Event event) {
    return new IllegalStateException(event + " while " + this);
  }
}
