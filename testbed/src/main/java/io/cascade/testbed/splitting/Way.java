package io.cascade.testbed.splitting;

import org.jspecify.annotations.Nullable;

/** Way of a cell's connection over the paths. */
public enum Way {
  /** The kernel forwards by the quickest path. */
  ONE_PATH("one path", null, Pipes.NONE),
  ROUND_ROBIN("round robin", "round-robin", Pipes.BARE),
  DEF("DEF", "def", Pipes.BARE),
  DEF_PLUS("DEF+", "def-plus", Pipes.BARE),
  /** A splitter at the sender's side and a combiner at the receiver's. */
  PAIR("pair", "pair", Pipes.BARE_AT_BOTH),
  /** The same, told nothing of the paths: it measures them. */
  PAIR_MEASURED("pair, measured", "pair", Pipes.DATAGRAMS);

  private enum Pipes {
    NONE,
    /** Devices, with what they are like. */
    BARE,
    BARE_AT_BOTH,
    /** Datagrams to the other router. */
    DATAGRAMS
  }

  private final String words;
  private final @Nullable String mode;
  private final Pipes pipes;

  Way(String words, @Nullable String mode, Pipes pipes) {
    this.words = words;
    this.mode = mode;
    this.pipes = pipes;
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
    return pipes == Pipes.BARE_AT_BOTH || pipes == Pipes.DATAGRAMS;
  }

  /** Whether pipes are datagrams that are measured, or devices of which scap is told. */
  boolean measured() {
    return pipes == Pipes.DATAGRAMS;
  }
}
