package io.cascade.testbed.splitting;

import org.jspecify.annotations.Nullable;

/** Way of a cell's connection over the paths. */
public enum Way {
  /** The kernel forwards by the quickest path. */
  ONE_PATH("one path", null, false),
  ROUND_ROBIN("round robin", "round-robin", false),
  DEF("DEF", "def", false),
  DEF_PLUS("DEF+", "def-plus", false),
  /** A splitter at the sender's side and a combiner at the receiver's. */
  PAIR("pair", "pair", true);

  private final String words;
  private final @Nullable String mode;
  private final boolean farToo;

  Way(String words, @Nullable String mode, boolean farToo) {
    this.words = words;
    this.mode = mode;
    this.farToo = farToo;
  }

  String words() {
    return words;
  }

  /** Mode of scap; null without one. */
  @Nullable String mode() {
    return mode;
  }

  /** Whether there is a scap at the receiver's side too. */
  boolean farToo() {
    return farToo;
  }
}
