package io.cascade.packets.connections;

/** The life of a connection, as far as its packets show it. */
public enum ConnectionState {
  /** A SYN has passed. Until its answer has come back this way, nothing is split. */
  PENDING,
  /** The answer has passed too: both directions come this way. */
  ACTIVE,
  /** One end or both have sent FIN. Data may go on for long in the other direction. */
  CLOSING,
  /** The connection is over. */
  CLOSED;

  /** Event that a packet of the connection tells. */
  public enum Event {
    /** SYN and ACK, in the direction opposite to the SYN. */
    CONFIRMED,
    FIN,
    RESET,
    /** Nothing has passed for as long as a record is kept. */
    SILENT
  }

  ConnectionState on(Event event) {
    return switch (this) {
      case PENDING ->
          switch (event) {
            case CONFIRMED -> ACTIVE;
            // Without an answer that came this way nothing is known of the other direction.
            case FIN -> PENDING;
            case RESET, SILENT -> CLOSED;
          };
      case ACTIVE ->
          switch (event) {
            case CONFIRMED -> ACTIVE;
            case FIN -> CLOSING;
            case RESET, SILENT -> CLOSED;
          };
      case CLOSING ->
          switch (event) {
            case CONFIRMED, FIN -> CLOSING;
            case RESET, SILENT -> CLOSED;
          };
      case CLOSED -> CLOSED;
    };
  }
}
