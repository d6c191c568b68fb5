package io.cascade.api.client;

import io.cascade.api.Validation;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.PartList;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.RelayHealth;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Client of the relay-control contract, for the orchestrator and tests. The time-out of a call is a
 * deadline for the whole call. Whatever a relay sends, a call ends with an answer that matches the
 * contract, a {@link ProblemException} or an {@link UnreachableException}.
 */
public final class RelayControlClient {
  private static final int MIB = 1 << 20;

  /** Ten thousand renewed leases take less than half of this. */
  private static final int DOCUMENT_BYTES = MIB;

  /** The 4,096 parts that a relay may have at 4 KiB each, or ten thousand streams at 1 KiB. */
  private static final int LIST_BYTES = 16 * MIB;

  /** Type of the problem that a relay's rules do not allow a throughput test at present. */
  public static final String THROUGHPUT_TEST_REFUSED =
      "urn:cascade:problem:throughput-test-refused";

  /** Type of the problem that a throughput test gave no result. */
  public static final String THROUGHPUT_TEST_FAILED = "urn:cascade:problem:throughput-test-failed";

  /** Longest time that a throughput test takes beyond its {@code maxSeconds}. */
  public static final Duration THROUGHPUT_TEST_GRACE = Duration.ofSeconds(5);

  private static final String THROUGHPUT_TESTS = "/control/v1/throughput-tests";
  private static final String PACKET_TRAINS = "/control/v1/packet-trains";

  private final JsonHttp http;
  private final long epoch;

  /**
   * Whether calls are carried by a control connection. The control port of a relay of the previous
   * version refuses parameters that it does not know.
   */
  private final boolean isConnection;

  /**
   * @param relay the relay's control address, such as {@code http://10.0.0.7:7412}
   * @param token the bearer token that relay and orchestrator share, if any
   */
  public RelayControlClient(URI relay, @Nullable String token) {
    this(new JsonHttp(ServerAddress.unpinned(relay), token).bounded(), 0, false);
  }

  private RelayControlClient(JsonHttp http, long epoch, boolean isConnection) {
    this.http = http;
    this.epoch = epoch;
    this.isConnection = isConnection;
  }

  /** The same client for an orchestrator that leads in this epoch. */
  public RelayControlClient in(long leadersEpoch) {
    return new RelayControlClient(http, leadersEpoch, isConnection);
  }

  /**
   * A client over the control connection of a relay.
   *
   * @param relay name of the relay in messages
   */
  public static RelayControlClient over(RelayExchange exchange, URI relay) {
    return new RelayControlClient(JsonHttp.over(exchange, relay).bounded(), 0, true);
  }

  public RelayHealth health(Duration timeout) {
    return ask("GET", "/control/v1/health", null, RelayHealth.class, document(timeout));
  }

  public Limits limits(Duration timeout) {
    return ask("GET", "/control/v1/limits", null, Limits.class, document(timeout));
  }

  /** Changes limits; those that are null stay. */
  public Limits change(Limits wanted, Duration timeout) {
    return ask(
        "PATCH", "/control/v1/limits" + callersEpoch(), wanted, Limits.class, document(timeout));
  }

  public InstalledPart install(UUID chainId, ChainPart part, Duration timeout) {
    return ask("PUT", chain(chainId) + epoch("?"), part, InstalledPart.class, document(timeout));
  }

  public PartStatus show(UUID chainId, Duration timeout) {
    return ask("GET", chain(chainId), null, PartStatus.class, document(timeout));
  }

  public PartList list(Duration timeout) {
    return ask("GET", "/control/v1/chains", null, PartList.class, listed(timeout));
  }

  public StreamList streams(UUID chainId, Duration timeout) {
    return ask("GET", chain(chainId) + "/streams", null, StreamList.class, listed(timeout));
  }

  public void remove(UUID chainId, boolean abort, Duration timeout) {
    remove(chainId, abort, Long.MAX_VALUE, timeout);
  }

  /**
   * @param revision the highest revision to remove; a later one stays and causes a {@link
   *     ProblemException}
   */
  public void remove(UUID chainId, boolean abort, long revision, Duration timeout) {
    String which = revision == Long.MAX_VALUE ? "" : "&revision=" + revision;
    http.call("DELETE", chain(chainId) + "?abort=" + abort + epoch("&") + which, document(timeout));
  }

  public LeaseRenewed renew(LeaseRenewal renewal, Duration timeout) {
    return ask(
        "POST", "/control/v1/leases" + epoch("?"), renewal, LeaseRenewed.class, document(timeout));
  }

  public ProbeReport probe(ProbeRequest request, Duration timeout) {
    return ask(
        "POST",
        "/control/v1/probes" + callersEpoch(),
        request,
        ProbeReport.class,
        document(timeout));
  }

  /** Sends a call and validates the answer: a relay's answer is as untrusted as a request. */
  private <T extends Record> T ask(
      String method, String path, @Nullable Object body, Class<T> answer, Bounds bounds) {
    T document = http.call(method, path, body, answer, bounds);
    List<String> violations = Validation.violations(document);
    if (!violations.isEmpty()) {
      throw http.unexpected(path, answer, String.join("; ", violations));
    }
    return document;
  }

  private static Bounds document(Duration timeout) {
    return new Bounds(timeout, DOCUMENT_BYTES);
  }

  private static Bounds listed(Duration timeout) {
    return new Bounds(timeout, LIST_BYTES);
  }

  /**
   * Has the relay receive a throughput test.
   *
   * @throws ProblemException of type {@link #THROUGHPUT_TEST_REFUSED} if it refuses
   */
  public void openThroughputSink(UUID testId, ThroughputSink sink, Duration timeout) {
    http.call("PUT", THROUGHPUT_TESTS + "/" + testId + callersEpoch(), sink, document(timeout));
  }

  /**
   * Runs a throughput test from the relay to another one, which receives it.
   *
   * @param timeout the test's {@code maxSeconds} and {@link #THROUGHPUT_TEST_GRACE}, or more
   * @throws ProblemException of type {@link #THROUGHPUT_TEST_REFUSED} if a relay's rules do not
   *     allow it at present, {@link #THROUGHPUT_TEST_FAILED} if it gave no result
   */
  public ThroughputReport runThroughputTest(ThroughputTest test, Duration timeout) {
    return ask(
        "POST", THROUGHPUT_TESTS + callersEpoch(), test, ThroughputReport.class, document(timeout));
  }

  /**
   * Has the relay reflect a train of packets.
   *
   * @throws ProblemException of type {@link #THROUGHPUT_TEST_REFUSED} if it refuses
   */
  public void reflectPacketTrain(UUID testId, PacketTrainReflection train, Duration timeout) {
    http.call("PUT", PACKET_TRAINS + "/" + testId + callersEpoch(), train, document(timeout));
  }

  /**
   * Sends a train of packets from the relay to another one, which reflects it.
   *
   * @param timeout the duration of the train and {@link #THROUGHPUT_TEST_GRACE}, or more
   * @throws ProblemException as {@link #runThroughputTest} does
   */
  public PacketTrainReport runPacketTrain(PacketTrain train, Duration timeout) {
    return ask(
        "POST", PACKET_TRAINS + callersEpoch(), train, PacketTrainReport.class, document(timeout));
  }

  private String callersEpoch() {
    return isConnection ? epoch("?") : "";
  }

  private String epoch(String before) {
    return epoch == 0 ? "" : before + "epoch=" + epoch;
  }

  private static String chain(UUID chainId) {
    return "/control/v1/chains/" + chainId;
  }
}
