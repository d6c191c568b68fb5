package io.cascade.studies.splitting;

import org.jspecify.annotations.Nullable;

/** Way of a cell's connection over the paths. */
public enum SplitWay {
  /** The kernel forwards over the fastest path. */
  ONE_PATH("one path", null, false, false),
  ROUND_ROBIN("round robin", "round-robin", false, false),
  DEF("DEF", "def", false, false),
  DEF_PLUS("DEF+", "def-plus", false, false),
  /** A splitter at the sender's side and a combiner at the receiver's. */
  PAIR("pair", "pair", true, false),
  /** A pair without information about the paths, which it measures. */
  PAIR_MEASURED("pair, measured", "pair", true, true);

  private final String words;
  private final @Nullable String mode;
  private final boolean farToo;
  private final boolean measured;

  SplitWay(String words, @Nullable String mode, boolean farToo, boolean measured) {
    this.words = words;
    this.mode = mode;
    this.farToo = farToo;
    this.measured = measured;
  }

  String words() {
    return words;
  }

  /** Mode of scap; null without scap. */
  @Nullable String mode() {
    return mode;
  }

  /** Whether scap also runs at the receiver's side. */
  boolean farToo() {
    return farToo;
  }

  /** Whether pipes are measured datagrams, or devices with configured properties. */
  boolean measured() {
    return measured;
  }
}
