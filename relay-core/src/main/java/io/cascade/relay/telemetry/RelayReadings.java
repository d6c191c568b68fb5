package io.cascade.relay.telemetry;

import io.cascade.api.orchestrator.CodedHop;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Values of the metrics, read at every scrape. Calls come from any thread and must not block.
 * Totals count since the process started and never decrease.
 */
public interface RelayReadings {

  long runningStreams();

  /** Most concurrent streams. */
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

  /** TLS handshakes of hops, at either end: full, resumed and failed ones. */
  Map<String, Long> tlsHandshakes();

  /** Connections to the SOCKS5 and the CONNECT port, by outcome. */
  Map<String, Long> proxyHandshakes();

  /** Requests to the rendezvous port, by outcome; empty if there is no such port. */
  Map<String, Long> rendezvousRequests();

  /** Connections that wait to be joined. */
  long rendezvousWaiting();

  /** Bytes that may still be passed on between joined ends today. */
  long rendezvousLeftBytes();

  /** Bytes that were passed on between joined ends, both directions together. */
  long rendezvousBytes();

  /** Datagrams that told ends their own address. */
  long rendezvousAddresses();

  /** Throughput tests by outcome, or by the reason of their refusal. */
  Map<String, Long> throughputTests();

  /** Bytes sent and received by throughput tests. */
  long testBytes();

  /** Most bytes that throughput tests may move in an hour. */
  long testBudgetBytes();

  /** Bytes of the budget that are left. */
  long testBudgetLeftBytes();

  /** Bytes passed on. */
  long bytes(Direction direction);

  /** Time that one direction has waited, by cause. */
  Stalls stalls(Direction direction);

  /** Bytes passed on through pipes in the kernel, in both directions. */
  long splicedBytes();

  /** Stream bytes held at present. */
  long heldBytes();

  /** Most stream bytes that may be held. */
  long memoryBudgetBytes();

  /** Memory that the network library has allocated for its buffers. */
  long networkBufferBytes();

  /** Onward connections that are ready. */
  long warmConnections();

  /** Number of chain parts. */
  long installedChains();

  /** Chain parts that take streams although their lease has expired. */
  long unattendedChains();

  /** The coded hops that begin here, by chain. */
  Map<UUID, List<CodedHop>> codedHops();

  /** The installed chain parts, in any order. Queries the kernel about every connection. */
  List<ChainTotals> chains();
}
