package io.cascade.studies.coded;

/**
 * Counters of one end of a bulk transfer.
 *
 * @param nanos of the monotonic clock, which all processes of a machine share
 * @param bytes that arrived in order
 * @param wrong whether a byte differs from the expected one
 * @param cpuNanos processor time of the process since its start
 * @param lossRate of packets sent, 0 to 1
 * @param baseLoss the controller's estimate of the path's loss below its capacity
 * @param capacity the controller's estimate of the path's capacity, in packets per second
 * @param refused datagrams, or trains of them, that the network stack refused
 */
record PeerReport(
    long nanos,
    long bytes,
    boolean wrong,
    long cpuNanos,
    String mode,
    double window,
    double lossRate,
    double baseLoss,
    double capacity,
    long roundTripNanos,
    long sources,
    long repairs,
    long uselessRepairs,
    long forgottenRepairs,
    long falselyLost,
    long malformed,
    long refused,
    String closed) {
  /** Report for a flow that is not coded. */
  static final PeerReport NONE =
      new PeerReport(0, 0, false, 0, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "");
}
