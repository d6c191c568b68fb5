package io.cascade.client.transfer;

/** The slowest part of a transfer, as seen by the end that reports it. */
public enum Bottleneck {
  /** This host's disk, or another source or destination of the content. */
  DISK("disk"),
  /** The receiver, which stores more slowly than blocks arrive. Reported by senders only. */
  FAR_END("far end"),
  /** The path between the ends. Reported by senders only. */
  PATH("path"),
  /** Reading back what was held before, for the digest, after every byte has arrived. */
  DIGEST("digest");

  private final String words;

  Bottleneck(String words) {
    this.words = words;
  }

  /** Name for display, such as {@code far end}. */
  public String words() {
    return words;
  }

  /** Name in documents for programs, such as {@code far-end}. */
  public String key() {
    return words.replace(' ', '-');
  }
}
