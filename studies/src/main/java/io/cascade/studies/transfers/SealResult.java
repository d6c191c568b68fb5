package io.cascade.studies.transfers;

/**
 * One transfer of a file over loopback.
 *
 * @param sealed whether it uses a key; otherwise the receiver accepts unauthenticated senders
 * @param bytes of the file
 * @param seconds of the sender's whole command
 * @param processorSeconds of both ends together, including the start of the processes
 */
record SealResult(
    boolean sealed, int repetition, long bytes, double seconds, double processorSeconds) {

  static String key(boolean sealed, int repetition) {
    return (sealed ? "sealed" : "in clear") + " #" + repetition;
  }

  /** Key of the transfer in result files. */
  String key() {
    return key(sealed, repetition);
  }
}
