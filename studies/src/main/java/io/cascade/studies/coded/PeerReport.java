package io.cascade.studies.coded;

/**
 * Report of one end of a bulk transfer so far.
 *
 * @param nanos of the monotonic clock, which all processes of a machine share
 * @param bytes that arrived in order
 * @param wrong whether a byte was not what it should be
 * @param cpuNanos that the process has used since it started
 * @param lossRate of packets sent, 0 to 1
 * @param baseLoss what the controller believes the path to lose below its capacity
 * @param capacity packets per second that the controller believes the path to carry
 * @param refused datagrams, or trains of them, that the network refused
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
  /** The one of a flow that is not coded. */
  static final PeerReport NONE =
      new PeerReport(0, 0, false, 0, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "");
}
