package io.cascade.model.tcp;

/** Cause that limits a connection's rate. */
public enum RateLimit {
  /** The congestion control, given loss and round-trip time. */
  CONGESTION_CONTROL("its congestion control"),
  /** The link's capacity, less headers and framing. */
  CAPACITY("its capacity"),
  /** The receiver's window, or the buffers at either end. */
  RECEIVE_WINDOW("its window"),
  /** No known limit. */
  NOTHING_KNOWN("nothing that is known");

  private final String words;

  RateLimit(String words) {
    this.words = words;
  }

  /** The limit as part of a sentence. */
  public String words() {
    return words;
  }
}
