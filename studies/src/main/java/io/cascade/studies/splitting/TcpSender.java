package io.cascade.studies.splitting;

/**
 * Settings of the sending and of the receiving kernel.
 *
 * @param control congestion control, such as reno
 */
public record TcpSender(String control, boolean sack, boolean timestamps) {
  /** The name in the source's figures: {@code cubic, SACK+TS}. */
  String words() {
    return control
        + ", "
        + (sack
            ? timestamps ? "SACK+TS" : "SACK"
            : timestamps ? "cumulative ACKs+TS" : "cumulative ACKs");
  }
}
