package io.cascade.client.transfer;

/** The slowest part of a transfer, as the end sees it that says so. */
public enum Bottleneck {
  /** This host's disk, or what else the content is read from or written to. */
  DISK("disk"),
  /** The receiver, which stores more slowly than blocks come. Only a sender says so. */
  FAR_END("far end"),
  /** The way between the ends. Only a sender says so. */
  PATH("path"),
  /** Reading back what was there before, for the digest: every byte has arrived. */
  DIGEST("digest");

  private final String words;

  Bottleneck(String words) {
    this.words = words;
  }

  /** The name for people, such as {@code far end}. */
  public String words() {
    return words;
  }

  /** The name in documents for programs, such as {@code far-end}. */
  public String key() {
    return words.replace(' ', '-');
  }
}
