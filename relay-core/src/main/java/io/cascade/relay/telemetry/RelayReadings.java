package io.cascade.relay.telemetry;

import io.cascade.api.orchestrator.CodedHop;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Readings for the metrics, at every scrape. Calls come from any thread and must not block. Totals
 * count since the process started and never shrink.
 */
public interface RelayReadings {

  long runningStreams();

  /** The most streams at a time. */
  long mostStreams();

  long openedStreams();

  /** Number of ended streams by the code of their reason, {@code completed} among them. */
  Map<String, Long> endedStreams();

  /** Connections closed because of their hop header, by reason. */
  Map<String, Long> headerRefusals();

  /** Pipes of segments that were refused here, by reason. */
  Map<String, Long> refusedPipes();

  /** Streams of segments that were reset, by reason. */
  Map<String, Long> resetSegments();

  /** TLS handshakes of hops, on either end: full, resumed and failed ones. */
  Map<String, Long> tlsHandshakes();

  /** Connections to the SOCKS5 and the CONNECT port, by what they came to. */
  Map<String, Long> proxyHandshakes();

  /** Requests to the rendezvous port, by what they came to; none where there is no such port. */
  Map<String, Long> rendezvousRequests();

  /** Connections that wait to be joined. */
  long rendezvousWaiting();

  /** Bytes that may still be passed on between joined ends today. */
  long rendezvousLeftBytes();

  /** Bytes that were passed on between joined ends, both directions together. */
  long rendezvousBytes();

  /** Datagrams by which ends learned their own address. */
  long rendezvousAddresses();

  /** Throughput tests by how they ended, or why they were refused. */
  Map<String, Long> throughputTests();

  /** Sent and received by throughput tests. */
  long testBytes();

  /** The most that throughput tests move in an hour. */
  long testBudgetBytes();

  /** Bytes of the budget that are left now. */
  long testBudgetLeftBytes();

  /** Bytes passed on. */
  long bytes(Direction direction);

  /** Time that one direction has waited, by what for. */
  Stalls stalls(Direction direction);

  /** Bytes passed on through pipes in the kernel, in both directions. */
  long splicedBytes();

  /** Stream bytes held now. */
  long heldBytes();

  /** The most stream bytes that may be held. */
  long memoryBudgetBytes();

  /** Memory that the network library took from the system for its buffers. */
  long networkBufferBytes();

  /** Onward connections that are ready. */
  long warmConnections();

  /** Number of chain parts. */
  long installedChains();

  /** Chain parts that are served although their lease has run out. */
  long unattendedChains();

  /** The coded hops that begin here, by chain. */
  Map<UUID, List<CodedHop>> codedHops();

  /** The chain parts that are installed, in any order. Asks the kernel of every connection. */
  List<ChainTotals> chains();
}
