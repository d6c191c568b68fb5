package io.cascade.studies.transfers;

/**
 * A file over loopback, once.
 *
 * @param sealed whether with a key; otherwise to a receiver that is open to anyone
 * @param bytes of the file
 * @param seconds of the sender's whole command
 * @param processorSeconds of both ends together, processes' starts included
 */
record SealResult(
    boolean sealed, int repetition, long bytes, double seconds, double processorSeconds) {

  static String key(boolean sealed, int repetition) {
    return (sealed ? "sealed" : "in clear") + " #" + repetition;
  }

  /** Names it in result files. */
  String key() {
    return key(sealed, repetition);
  }
}
