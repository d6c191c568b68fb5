package io.cascade.packets.connections;

/** The life of a connection, as far as its packets show it. */
public enum ConnectionState {
  /** A SYN has passed. Nothing is split until its answer has passed here as well. */
  PENDING,
  /** The answer has passed, too: both directions pass here. */
  ACTIVE,
  /** At least one end has sent FIN. Data may continue for long in the other direction. */
  CLOSING,
  /** The connection is over. */
  CLOSED;

  /** Event that a packet of the connection shows. */
  public enum Event {
    /** SYN and ACK, in the direction opposite to the SYN. */
    CONFIRMED,
    FIN,
    RESET,
    /** No packet has passed for as long as a record is kept. */
    SILENT
  }

  ConnectionState on(Event event) {
    return switch (this) {
      case PENDING ->
          switch (event) {
            case CONFIRMED -> ACTIVE;
            // If no answer passed here, nothing is known of the other direction.
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
