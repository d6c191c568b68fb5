package io.cascade.segments;

/** The life of a stream at one of its junctions. */
public enum StreamState {
  /** No pipe has joined yet. */
  OPENING,
  /** The stream has at least one pipe. */
  OPEN,
  /** Every pipe has ended. A new one continues the stream; without one it is finally reset. */
  STRANDED,
  /** Both directions are delivered and acknowledged here; the peer may not know it yet. */
  COMPLETE,
  /** The stream is over, and no data was lost. */
  CLOSED,
  /** The stream has failed. */
  RESET;

  /** Event of a stream. */
  public enum Event {
    PIPE_JOINED,
    LAST_PIPE_LOST,
    /** Both directions have ended; received data is delivered, sent data acknowledged. */
    ALL_DONE,
    /** The peer has ended a pipe cleanly, which it does once the stream is complete there. */
    PEER_DONE,
    /** The stream had no pipe for as long as it may wait. */
    PATIENCE_OVER,
    /** Either side reset the stream. */
    FAILED
  }

  boolean over() {
    return this == CLOSED || this == RESET;
  }

  /**
   * @throws IllegalStateException if the event cannot happen in this state
   */
  StreamState on(Event event) {
    return switch (this) {
      case OPENING ->
          switch (event) {
            case PIPE_JOINED -> OPEN;
            case LAST_PIPE_LOST -> OPENING;
            case PATIENCE_OVER, FAILED -> RESET;
            case ALL_DONE, PEER_DONE -> throw impossible(event);
          };
      case OPEN ->
          switch (event) {
            case PIPE_JOINED -> OPEN;
            case LAST_PIPE_LOST -> STRANDED;
            case ALL_DONE -> COMPLETE;
            case FAILED -> RESET;
            case PATIENCE_OVER, PEER_DONE -> throw impossible(event);
          };
      case STRANDED ->
          switch (event) {
            case PIPE_JOINED -> OPEN;
            case LAST_PIPE_LOST -> STRANDED;
            case ALL_DONE -> COMPLETE;
            case PATIENCE_OVER, FAILED -> RESET;
            case PEER_DONE -> throw impossible(event);
          };
      case COMPLETE ->
          switch (event) {
            case PIPE_JOINED, LAST_PIPE_LOST, ALL_DONE -> COMPLETE;
            // Everything is delivered, so that nothing the peer does now matters.
            case PEER_DONE, PATIENCE_OVER, FAILED -> CLOSED;
          };
      case CLOSED, RESET -> this;
    };
  }

  private IllegalStateException impossible(Event event) {
    return new IllegalStateException(event + " while " + this);
  }
}
