package io.cascade.lab.demo;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.Plan;
import java.util.List;

/** Results of the demonstration, as in its JSON document. */
record LoopbackReport(
    String orchestrator,
    String folder,
    List<LocalRelay> relays,
    List<Link> links,
    Plan plan,
    Chain chain,
    SetupComparison setup,
    TransferReport transfer,
    List<RelayTraffic> traffic,
    List<Check> checks,
    boolean held) {

  /**
   * The same chain set up by both methods, several times in turn.
   *
   * @param parallelMillis median
   * @param sequentialMillis median
   */
  record SetupComparison(int rounds, double parallelMillis, double sequentialMillis) {}

  /**
   * The file's transfer.
   *
   * @param bytes of the file
   * @param wireBytes header and block lengths included
   */
  record TransferReport(
      long bytes,
      long wireBytes,
      long receivedBytes,
      double seconds,
      double bitsPerSecond,
      String sha256Sent,
      String sha256Received,
      long ignoredConnections) {}

  /** The file's stream as one relay recorded it. */
  record RelayTraffic(
      String relay,
      String state,
      long forwardBytesIn,
      long forwardBytesOut,
      long backwardBytesIn,
      long backwardBytesOut,
      long peakHeldBytes) {}
}
