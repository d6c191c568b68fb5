package io.cascade.relay.pump;

/** States of a direction. {@link #after} is all that moves it. */
enum PumpState {
  /** There is no sink; what comes is kept. */
  HOLDING,
  /** {@link #HOLDING}, and the source has ended. */
  HOLDING_ALL,
  /** The sink has not confirmed the stream; what it is given is kept for another one. */
  OFFERED,
  /** {@link #OFFERED}, and the source has ended. */
  OFFERED_ALL,
  /** Bytes are handed on as they come. */
  FLOWING,
  /** The source has ended; its end follows once all that came before it was handed on. */
  ENDING,
  /** The source broke; what came before is handed on, and no end follows. */
  DRAINING,
  /** All that a broken source had sent was handed on. */
  DRAINED,
  /** All was handed on, and the end is on its way. */
  FINISHING,
  /** The end was passed on. */
  FINISHED,
  /** Given up; nothing is held. */
  DISCARDED;

  /** Events of a direction. */
  enum Event {
    /** A sink is there that must confirm the stream. */
    SINK_OFFERED,
    /** A sink is there that need not. */
    SINK_READY,
    /** The sink that was offered the stream has it. */
    SINK_CONFIRMED,
    /** The sink that was offered the stream is gone. */
    SINK_LOST,
    SOURCE_ENDED,
    SOURCE_BROKE,
    /** All that came was handed on. */
    EMPTIED,
    /** The sink's output has ended. */
    END_PASSED,
    /** The direction is not wanted any more. */
    DISCARD
  }

  /** Whether the source may have more to bring. */
  boolean isSourceOpen() {
    return this == HOLDING || this == OFFERED || this == FLOWING;
  }

  /** Whether what comes is still wanted; a source that has ended may have bytes on their way. */
  boolean takesBytes() {
    return isSourceOpen() || this == HOLDING_ALL || this == OFFERED_ALL || this == ENDING;
  }

  /** Whether the sink may be given bytes. */
  boolean hasSink() {
    return isOffered() || isConfirmed();
  }

  /** Whether the sink has not confirmed the stream yet. */
  boolean isOffered() {
    return this == OFFERED || this == OFFERED_ALL;
  }

  /** Whether bytes are handed on for good. */
  boolean isConfirmed() {
    return this == FLOWING || this == ENDING || this == DRAINING;
  }

  /** Whether nothing is held any more and nothing will be. */
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
            default -> this; // told twice, or known by a failure
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
            default -> this; // more may come
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
