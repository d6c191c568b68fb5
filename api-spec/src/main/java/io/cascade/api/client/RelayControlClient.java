package io.cascade.api.client;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
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
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The relay-control contract, called from the orchestrator and from tests. */
public final class RelayControlClient {
  /** Type of the problem that a relay's rules do not allow a throughput test now. */
  public static final String THROUGHPUT_TEST_REFUSED =
      "urn:cascade:problem:throughput-test-refused";

  /** Type of the problem that a throughput test brought no result. */
  public static final String THROUGHPUT_TEST_FAILED = "urn:cascade:problem:throughput-test-failed";

  /** What a throughput test takes at most beyond its {@code maxSeconds}. */
  public static final Duration THROUGHPUT_TEST_GRACE = Duration.ofSeconds(5);

  private static final String THROUGHPUT_TESTS = "/control/v1/throughput-tests";

  private final JsonHttp http;

  /**
   * @param relay the relay's control address, such as {@code http://10.0.0.7:7412}
   * @param token the bearer token that relay and orchestrator share, if any
   */
  public RelayControlClient(URI relay, @Nullable String token) {
    this.http = new JsonHttp(relay, token);
  }

  public RelayHealth health(Duration timeout) {
    return http.call("GET", "/control/v1/health", null, RelayHealth.class, timeout);
  }

  public Limits limits(Duration timeout) {
    return http.call("GET", "/control/v1/limits", null, Limits.class, timeout);
  }

  /** What is null stays as it is. */
  public Limits change(Limits wanted, Duration timeout) {
    return http.call("PATCH", "/control/v1/limits", wanted, Limits.class, timeout);
  }

  public InstalledPart install(UUID chainId, ChainPart part, Duration timeout) {
    return http.call("PUT", chain(chainId), part, InstalledPart.class, timeout);
  }

  public PartStatus show(UUID chainId, Duration timeout) {
    return http.call("GET", chain(chainId), null, PartStatus.class, timeout);
  }

  public PartList list(Duration timeout) {
    return http.call("GET", "/control/v1/chains", null, PartList.class, timeout);
  }

  public StreamList streams(UUID chainId, Duration timeout) {
    return http.call("GET", chain(chainId) + "/streams", null, StreamList.class, timeout);
  }

  public void remove(UUID chainId, boolean abort, Duration timeout) {
    http.call("DELETE", chain(chainId) + "?abort=" + abort, timeout);
  }

  public LeaseRenewed renew(LeaseRenewal renewal, Duration timeout) {
    return http.call("POST", "/control/v1/leases", renewal, LeaseRenewed.class, timeout);
  }

  public ProbeReport probe(ProbeRequest request, Duration timeout) {
    return http.call("POST", "/control/v1/probes", request, ProbeReport.class, timeout);
  }

  /**
   * Tells the relay to receive a throughput test.
   *
   * @throws ProblemException of type {@link #THROUGHPUT_TEST_REFUSED} where it does not
   */
  public void openThroughputSink(UUID testId, ThroughputSink sink, Duration timeout) {
    http.call("PUT", THROUGHPUT_TESTS + "/" + testId, sink, timeout);
  }

  /**
   * Runs a throughput test from the relay to another one, which receives it.
   *
   * @param timeout the test's {@code maxSeconds} and {@link #THROUGHPUT_TEST_GRACE}, or more
   * @throws ProblemException of type {@link #THROUGHPUT_TEST_REFUSED} where a relay's rules do not
   *     allow it now, {@link #THROUGHPUT_TEST_FAILED} where it brought no result
   */
  public ThroughputReport runThroughputTest(ThroughputTest test, Duration timeout) {
    return http.call("POST", THROUGHPUT_TESTS, test, ThroughputReport.class, timeout);
  }

  private static String chain(UUID chainId) {
    return "/control/v1/chains/" + chainId;
  }
}
