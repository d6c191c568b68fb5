package io.cascade.relay.telemetry;

import java.util.List;
import java.util.Map;

/**
 * What the metrics read at every scrape. Calls come from any thread and must not block. Totals
 * count since the process started and never shrink.
 */
public interface RelayReadings {

  long runningStreams();

  long openedStreams();

  /** By the code of their reason, {@code completed} among them. */
  Map<String, Long> endedStreams();

  /** Connections closed because of their hop header, by reason. */
  Map<String, Long> headerRefusals();

  /** TLS handshakes of hops, on either end: full, resumed and failed ones. */
  Map<String, Long> tlsHandshakes();

  /** Bytes passed on from clients to destinations. */
  long forwardBytes();

  /** Bytes passed on from destinations to clients. */
  long backwardBytes();

  /** Of the bytes passed on, in both directions, those that went through pipes in the kernel. */
  long splicedBytes();

  /** Stream bytes held now. */
  long heldBytes();

  /** The most stream bytes that may be held. */
  long memoryBudgetBytes();

  /** Memory that the network library took from the system for its buffers. */
  long networkBufferBytes();

  /** Onward connections that are ready. */
  long warmConnections();

  /** The chain parts that are installed, in any order. */
  List<ChainTotals> chains();

  /** Totals of one chain's part. */
  record ChainTotals(
      String chain, long runningStreams, long forwardBytes, long backwardBytes, long failed) {}
}
