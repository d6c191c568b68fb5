package io.cascade.client.transfer;

/** The slowest part of a transfer, as the end sees it that says so. */
public enum Bottleneck {
  /** This host's disk, or what else the content is read from or written to. */
  DISK("disk"),
  /** The receiver, which stores more slowly than blocks come. Of a sender. */
  FAR_END("far end"),
  /** The way between the ends. Of a sender. */
  PATH("path"),
  /** Reading back what was there before, for the digest: every byte has arrived. */
  DIGEST("digest");

  private final String words;

  Bottleneck(String words) {
    this.words = words;
  }

  /** For people. */
  public String words() {
    return words;
  }

  /** For programs. */
  public String key() {
    return words.replace(' ', '-');
  }
}
