package io.cascade.relay.control;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.Endpoint;
import io.cascade.api.relay.HealthStatus;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.Problem;
import io.cascade.api.relay.ProcessTotals;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.relay.TestParts;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.throughput.FakeTests;
import io.cascade.testing.PreviousVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlServerTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  private static final String TOKEN = "correct-horse";
  private static final String CHAIN_ID = "0b5c9a34-6f0e-4f1b-9d52-1b6f0a4f7c11";
  private static final UUID CHAIN = UUID.fromString(CHAIN_ID);
  private static final String PATH = "/control/v1/chains/" + CHAIN_ID;
  private static final String PART =
      """
      {"inlets":[{"hop":{"segment":0,"pipe":0,"hop":0},"ingress":{"port":0}}],\
      "outlets":[{"hop":{"segment":0,"pipe":0,"hop":1},"egress":{"host":"h","port":80}}],\
      "leaseSeconds":60}\
      """;
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final FakeChainParts parts = new FakeChainParts();
  private final AtomicInteger probing = new AtomicInteger();
  private volatile @Nullable CountDownLatch probeGate;
  private final FakeTests tests = new FakeTests();
  private ControlServer server = start(null);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void installsShowsListsRenewsAndRemovesAPart() {
    RelayControlClient relay = client(null);
    ChainPart part =
        TestParts.of(
            0,
            60,
            Ingress.builder().port(0).build(),
            null,
            null,
            Egress.builder().host("h.example").port(80).build(),
            null,
            null);
    InstalledPart first = relay.install(CHAIN, part, SOON);
    assertThat(first.chainId()).isEqualTo(CHAIN);
    assertThat(first.renewed()).isFalse();
    assertThat(relay.install(CHAIN, part, SOON).renewed()).isTrue();
    assertThat(parts.installed).containsEntry(CHAIN, part);
    assertThat(relay.show(CHAIN, SOON).totals().backwardBytes()).isEqualTo(20);
    assertThat(relay.list(SOON).parts()).extracting(PartStatus::chainId).containsExactly(CHAIN);
    assertThat(relay.streams(CHAIN, SOON).streams()).isEmpty();
    UUID other = UUID.randomUUID();
    assertThat(relay.renew(new LeaseRenewal(30, List.of(CHAIN, other)), SOON))
        .isEqualTo(new LeaseRenewed(List.of(CHAIN), List.of(other)));
    relay.remove(CHAIN, false, SOON);
    relay.remove(CHAIN, true, SOON);
    assertThat(parts.removed).containsExactly(CHAIN + " drained", CHAIN + " aborted");
  }

  @Test
  void showsAndChangesItsLimits() throws Exception {
    RelayControlClient relay = client(null);
    Limits before = relay.limits(SOON);
    Limits after = relay.change(Limits.builder().maxStreams(5).drainSeconds(0).build(), SOON);
    assertThat(after)
        .isEqualTo(
            Limits.builder()
                .maxStreams(5)
                .memoryBytes(before.memoryBytes())
                .streamBytes(before.streamBytes())
                .drainSeconds(0)
                .build());
    assertThat(relay.limits(SOON)).isEqualTo(after);
    Problem refused = problem(send("PATCH", "/control/v1/limits", "{\"memoryBytes\":1}"), 400);
    assertThat(refused.detail()).contains("memoryBytes");
    assertThat(relay.limits(SOON)).isEqualTo(after);
  }

  @Test
  void tellsItsHealthAndMetrics() throws Exception {
    assertThat(client(null).health(SOON).status()).isEqualTo(HealthStatus.UP);
    HttpResponse<String> metrics = send("GET", "/control/v1/metrics", null);
    assertThat(metrics.body()).isEqualTo("metric 1\n");
    assertThat(metrics.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void tellsWithItsPartsWhatItsProcessHasTaken() {
    ProcessTotals process = requireNonNull(client(null).list(SOON).process());

    assertThat(process.uptimeSeconds()).isEqualTo(1.5);
    assertThat(process.processors()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(process.processorSeconds()).isPositive();
  }

  @Test
  void probesADestination() {
    ProbeReport report =
        client(null).probe(ProbeRequest.builder().host("h").port(80).count(7).build(), SOON);
    assertThat(report.attempts()).isEqualTo(7);
  }

  @Test
  void runsAndExpectsThroughputTests() {
    ThroughputReport report = client(null).runThroughputTest(throughputTest("r2"), SOON);
    assertThat(report.bitsPerSecond()).isEqualTo(65_536 * 8.0);
    client(null)
        .openThroughputSink(
            CHAIN,
            ThroughputSink.builder().key(KEY).from("r1").maxBytes(65_536L).maxSeconds(5.0).build(),
            SOON);
    assertThat(tests.expected()).isEqualTo(CHAIN);
  }

  @ParameterizedTest
  @CsvSource({
    "busy, 409, throughput-test-refused, ",
    "spent, 429, throughput-test-refused, 42",
    "gone, 502, throughput-test-failed, "
  })
  void saysWhyThereIsNoThroughputTest(
      String peer, int status, String type, @Nullable Long seconds) {
    assertThatThrownBy(() -> client(null).runThroughputTest(throughputTest(peer), SOON))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(status);
              assertThat(problem.type()).isEqualTo("urn:cascade:problem:" + type);
              assertThat(problem.retryAfter())
                  .isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
            });
  }

  private static ThroughputTest throughputTest(String peer) {
    return ThroughputTest.builder()
        .testId(CHAIN)
        .to(new Endpoint("h", 1))
        .peer(peer)
        .key(KEY)
        .maxBytes(65_536L)
        .maxSeconds(5.0)
        .build();
  }

  @Test
  void renewsTenThousandLeasesAtOnce() {
    List<UUID> chains = Stream.generate(UUID::randomUUID).limit(10_000).toList();
    assertThat(client(null).renew(new LeaseRenewal(30, chains), SOON).unknown()).hasSize(10_000);
  }

  @ParameterizedTest
  @EnumSource(PartRefused.Kind.class)
  void answersARefusedPartWithItsReason(PartRefused.Kind kind) throws Exception {
    parts.refusal = kind;
    ProblemKind expected = ProblemKind.of(kind);
    Problem problem = problem(send("PUT", PATH, PART), expected.status());
    assertThat(problem.type()).isEqualTo(expected.urn());
    assertThat(problem.detail()).isEqualTo("because of " + kind);
    assertThat(problem.instance()).isEqualTo(PATH);
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID, 422, invalid-part",
    "PORT_TAKEN, 409, port-taken",
    "STALE, 409, stale-revision",
    "STALE_EPOCH, 409, stale-epoch",
    "DESTINATION_NOT_ALLOWED, 403, destination-not-allowed",
    "UNRESOLVABLE, 422, unresolvable",
    "NEXT_RELAY_UNREACHABLE, 502, next-relay-unreachable",
    "UNSUPPORTED, 422, unsupported",
    "DRAINING, 503, draining",
    "LIMIT, 503, limit-reached"
  })
  void namesEveryRefusal(PartRefused.Kind kind, int status, String name) {
    assertThat(ProblemKind.of(kind).status()).isEqualTo(status);
    assertThat(ProblemKind.of(kind).urn()).isEqualTo("urn:cascade:problem:" + name);
  }

  @Test
  void skipsWhatANewerOrchestratorAdds() throws Exception {
    String newer =
        PART.replaceFirst("\\{", "{\"later\":{\"a\":[1]},")
            .replace("{\"port\":0}", "{\"port\":0,\"later\":true}");
    assertThat(send("PUT", PATH, newer).statusCode()).isEqualTo(200);
    assertThat(parts.installed).containsKey(CHAIN);
    ControlRequests requests = new ControlRequests(parts, parts, this::probe, tests, () -> "");
    assertThat(
            requests
                .respond("DELETE", PATH + "?later=1&epoch=0", "", InetAddress.getLoopbackAddress())
                .status())
        .isEqualTo(204);
    assertThat(parts.installed).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "PATCH, limits",
    "POST, probes",
    "POST, throughput-tests",
    "PUT, throughput-tests/" + CHAIN_ID,
    "POST, packet-trains",
    "PUT, packet-trains/" + CHAIN_ID
  })
  void whatIsAboutNoPartIsRefusedToAnOrchestratorThatLeadsNoMore(String method, String path)
      throws PartRefused {
    ControlRequests requests = new ControlRequests(parts, parts, this::probe, tests, () -> "");
    parts.hear(8);

    assertThat(answer(requests, method, path + "?epoch=7").body()).contains("stale-epoch");
    assertThat(answer(requests, method, path + "?epoch=8").body()).doesNotContain("stale-epoch");
    // Of the version before.
    assertThat(answer(requests, method, path).body()).doesNotContain("stale-epoch");
  }

  private static ControlResponse answer(ControlRequests requests, String method, String path) {
    return requests.respond(method, "/control/v1/" + path, "[]", InetAddress.getLoopbackAddress());
  }

  @Test
  void anOrchestratorNamesItsEpochOverAConnectionWhateverItAsksFor() {
    List<String> asked = new ArrayList<>();
    RelayControlClient relay =
        RelayControlClient.over(
                (method, path, _, _) -> {
                  asked.add(method + " " + path);
                  throw new IOException("no answer");
                },
                URI.create("relay:r1"))
            .in(8);

    assertThatThrownBy(() -> relay.change(parts.limits, SOON))
        .isInstanceOf(UnreachableException.class);

    assertThat(asked).containsExactly("PATCH /control/v1/limits?epoch=8");
  }

  @Test
  void takesThePartOfAnOrchestratorOfTheVersionBefore() throws Exception {
    assertThat(send("PUT", PATH, PreviousVersion.document("part.json")).statusCode())
        .isEqualTo(200);
    assertThat(
            send("POST", "/control/v1/leases", PreviousVersion.document("leases.json"))
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void refusesLimitsThatItDoesNotKnow() throws Exception {
    Problem refused = problem(send("PATCH", "/control/v1/limits", "{\"maxStreems\":1}"), 400);
    assertThat(refused.detail()).startsWith("maxStreems: unknown property");
  }

  @ParameterizedTest
  @MethodSource
  void answersAnInvalidBodyWith400(String body, String detail) throws Exception {
    Problem problem = problem(send("PUT", PATH, body), 400);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:invalid-request");
    assertThat(problem.detail()).startsWith(detail).doesNotContain("sesame");
    assertThat(parts.installed).isEmpty();
  }

  static Stream<Arguments> answersAnInvalidBodyWith400() {
    return Stream.of(
        Arguments.of("", "not a document"),
        Arguments.of("{", "not JSON at line 1"),
        Arguments.of("{\"inlets\":[],\"leaseSeconds\":sesame}", "not JSON at line 1"),
        Arguments.of("null", "null (expected: an object, a ChainPart)"),
        Arguments.of("[]", "not a document of the kind"),
        Arguments.of("7", "not a document of the kind"),
        Arguments.of("{} {}", "not"),
        Arguments.of("{}", "inlets: missing; outlets: missing; leaseSeconds: missing"),
        Arguments.of(body("\"0\"", "60"), "inlets[0].hop.hop: not of the type"),
        Arguments.of(body("0.5", "60"), "inlets[0].hop.hop: not of the type"),
        Arguments.of(body("99999999999", "60"), "a number is out of"),
        Arguments.of(body("17", "60"), "inlets[0].hop.hop: 17 (expected: 0 to 16)"),
        Arguments.of(body("0,\"hop\":1", "60"), "a property is given more"),
        Arguments.of(
            body("1},\"relay\":{\"key\":{\"a\":\"sesame\"}", "60"),
            "inlets[0].relay.key: not of the type"),
        Arguments.of(
            body("0", "60,\"options\":{\"mode\":\"sesame\"}"), "options.mode: not of the type"),
        Arguments.of(
            body("1},\"relay\":{\"key\":\"sesame\"", "60"),
            "inlets[0].relay.key: 6 characters (expected: 43 to 44)"),
        Arguments.of(
            "{\"inlets\":[],\"outlets\":[],\"leaseSeconds\":60}",
            "inlets: 0 entries (expected: 1 to 64); outlets: 0 entries (expected: 1 to 64)"),
        Arguments.of("[".repeat(100_000), "not"));
  }

  /** A part with one inlet and no outlet. */
  private static String body(String hop, String lease) {
    return """
    {"inlets":[{"hop":{"segment":0,"pipe":0,"hop":%s}}],"outlets":[],"leaseSeconds":%s}\
    """
        .formatted(hop, lease);
  }

  @Test
  void answersALeaseOfSomethingThatIsNoChainWith400() throws Exception {
    String body = "{\"leaseSeconds\":9,\"chains\":[\"sesame\"]}";
    Problem problem = problem(send("POST", "/control/v1/leases", body), 400);
    assertThat(problem.detail()).startsWith("chains[0]: not of the type");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1-1-1-1-1", "x", "0b5c9a34-6f0e-4f1b-9d52-1b6f0a4f7c1g"})
  void answersAChainThatIsNoUuidWith400(String id) throws Exception {
    Problem problem = problem(send("GET", "/control/v1/chains/" + id, null), 400);
    assertThat(problem.detail()).startsWith("chainId: not a UUID");
  }

  @ParameterizedTest
  @CsvSource({
    "abort=yes, abort: not a boolean (expected: true or false)",
    "abort=true&abort=false, abort: given more than once (expected: once)",
    "abort=%zz, the query is not percent-encoded",
    "abrot=true, an unknown query parameter (expected: [abort"
  })
  void answersAnInvalidQueryWith400(String query, String detail) throws Exception {
    // The JDK's client checks less of a URI's query than its server does: write it by hand.
    String answer = raw("DELETE " + PATH + "?" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 400");
    if (!query.contains("%zz")) { // refused by the JDK's server before it asks us
      assertThat(answer).contains(detail);
    }
    assertThat(parts.removed).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {PATH, PATH + "/streams"})
  void answersAnUnknownChainWith404(String path) throws Exception {
    Problem problem = problem(send("GET", path, null), 404);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:unknown-chain");
    assertThat(problem.detail()).contains(CHAIN.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/control/v1",
        "/control/v1/",
        "/control/v2/health",
        "/control/v1/health/",
        "/control/v1/chains/",
        PATH + "/streams/1",
        "/control/v1/Chains",
        "//control/v1/chains"
      })
  void answersAnUnknownPathWith404(String path) throws Exception {
    String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    boolean emptyChain = path.endsWith("/chains/");
    assertThat(answer).startsWith(emptyChain ? "HTTP/1.1 400" : "HTTP/1.1 404");
    assertThat(answer).contains("application/problem+json");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /control/v1/health, GET",
    "DELETE, /control/v1/metrics, GET",
    "PUT, /control/v1/chains, GET",
    "GET, /control/v1/leases, POST",
    "POST, " + PATH + ", 'DELETE, GET, PUT'",
    "OPTIONS, " + PATH + ", 'DELETE, GET, PUT'",
    "BREW, /control/v1/probes, POST"
  })
  void answersAnotherMethodWith405AndWhatIsAllowed(String method, String path, String allow)
      throws Exception {
    HttpResponse<String> response = send(method, path, null);
    problem(response, 405);
    assertThat(response.headers().firstValue("Allow")).hasValue(allow);
  }

  @Test
  void answersHeadWithoutABody() throws Exception {
    String answer = raw("HEAD /control/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 405").endsWith("\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/xml", "application/jsonx", ""})
  void answersAnotherContentTypeWith415(String type) throws Exception {
    HttpRequest.Builder request = request(PATH).PUT(BodyPublishers.ofString(PART));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    problem(HTTP.send(request.build(), BodyHandlers.ofString()), 415);
    assertThat(parts.installed).isEmpty();
  }

  @Test
  void takesJsonWithParameters() throws Exception {
    HttpRequest request =
        request(PATH)
            .header("Content-Type", "Application/JSON ; charset=utf-8")
            .PUT(BodyPublishers.ofString(PART))
            .build();
    assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void answersABodyThatIsTooLargeWith413AndGoesOn() throws Exception {
    String padding = " ".repeat(256 * 1024 - PART.length());
    assertThat(send("PUT", PATH, PART + padding).statusCode()).isEqualTo(200);
    Problem problem = problem(send("PUT", PATH, PART + padding + " "), 413);
    assertThat(problem.detail()).contains("262144");
    problem(send("PUT", PATH, " ".repeat(3_000_000)), 413);
    assertThat(send("GET", PATH, null).statusCode()).isEqualTo(200);
  }

  @Test
  void answersAFailureWith500AndWithoutItsReason() throws Exception {
    parts.failure = new IllegalStateException("secret inside");
    HttpResponse<String> response = send("GET", PATH, null);
    Problem problem = problem(response, 500);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:internal");
    assertThat(response.body()).doesNotContain("secret").doesNotContain("Exception");
  }

  @Test
  void answersADestinationThatDoesNotResolveWith422() throws Exception {
    String body = "{\"host\":\"nowhere.invalid\",\"port\":80}";
    Problem problem = problem(send("POST", "/control/v1/probes", body), 422);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:unresolvable");
    assertThat(problem.detail()).startsWith("nowhere.invalid: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Bearer",
        "Bearer wrong",
        "Bearer correct-horsf",
        "Bearer correct-horse2",
        "Basic correct-horse",
        "correct-horse"
      })
  void answersAMissingOrWrongTokenWith401(String authorization) throws Exception {
    restart(TOKEN);
    for (String path : List.of(PATH, "/control/v1/metrics", "/no/such/path")) {
      HttpRequest.Builder request = request(path).GET();
      if (!authorization.isEmpty()) {
        request.header("Authorization", authorization);
      }
      HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
      Problem problem = problem(response, 401);
      assertThat(problem.type()).isEqualTo("urn:cascade:problem:unauthorized");
      assertThat(response.headers().firstValue("WWW-Authenticate"))
          .hasValue("Bearer realm=\"cascade\"");
      assertThat(response.body()).doesNotContain(TOKEN);
    }
  }

  @Test
  void takesTheTokenAndAsksNoneForHealth() {
    restart(TOKEN);
    assertThat(client(TOKEN).list(SOON).parts()).isEmpty();
    assertThat(client(null).health(SOON).name()).isEqualTo("r1");
    assertThatThrownBy(() -> client("wrong").list(SOON))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(401));
  }

  @Test
  void installsSixtyFourPartsAtOnceAndStillTellsItsHealth() {
    CountDownLatch gate = new CountDownLatch(1);
    parts.gate = gate;
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      answers.add(HTTP.sendAsync(json("PUT", PATH, PART), BodyHandlers.ofString()));
    }
    await().untilAsserted(() -> assertThat(parts.installing).hasValue(64));
    assertThat(client(null).health(SOON).status()).isEqualTo(HealthStatus.UP);
    assertThat(parts.installing).hasValue(64);
    gate.countDown();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
    assertThat(parts.installing).hasValue(80);
  }

  @Test
  void aFloodOfProbesDelaysNeitherLeasesNorPartsNorHealth() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    probeGate = gate;
    List<HttpClient> clients = new ArrayList<>();
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 1; i <= 110; i++) {
      String body = "{\"host\":\"h\",\"port\":" + i + "}";
      // Without kept connections: the server closes idle ones beyond 64, perhaps when one is used.
      HttpClient own = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      clients.add(own);
      answers.add(own.sendAsync(json("POST", "/control/v1/probes", body), BodyHandlers.ofString()));
    }
    await().untilAsserted(() -> assertThat(probing).hasValue(ProbeTurns.MOST_PER_CALLER));
    await()
        .untilAsserted(() ->
            assertThat(answers.stream().filter(CompletableFuture::isDone))
                .hasSize(110 - ProbeTurns.MOST_PER_CALLER));
    RelayControlClient relay = client(null);
    assertThat(relay.health(SOON).status()).isEqualTo(HealthStatus.UP);
    assertThat(send("PUT", PATH, PART).statusCode()).isEqualTo(200);
    assertThat(relay.renew(new LeaseRenewal(30, List.of(CHAIN)), SOON).renewed())
        .containsExactly(CHAIN);
    assertThat(relay.list(SOON).parts()).hasSize(1);
    relay.remove(CHAIN, false, SOON);
    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      if (answer.isDone()) {
        Problem problem = problem(answer.join(), 429);
        assertThat(problem.type()).isEqualTo("urn:cascade:problem:too-many-probes");
        assertThat(answer.join().headers().firstValue("Retry-After")).isPresent();
      }
    }
    gate.countDown();
    assertThat(answers)
        .filteredOn(answer -> answer.join().statusCode() == 200)
        .hasSize(ProbeTurns.MOST_PER_CALLER);
    clients.forEach(HttpClient::shutdownNow);
  }

  @Test
  void partsThatWaitForTheirNextRelayDelayNeitherLeasesNorRemovals() {
    CountDownLatch gate = new CountDownLatch(1);
    parts.gate = gate;
    List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      answers.add(HTTP.sendAsync(json("PUT", PATH, PART), BodyHandlers.ofString()));
    }
    await().untilAsserted(() -> assertThat(parts.installing).hasValue(64));
    assertThat(client(null).renew(new LeaseRenewal(30, List.of(CHAIN)), SOON)).isNotNull();
    client(null).remove(CHAIN, false, SOON);
    gate.countDown();
    answers.forEach(CompletableFuture::join);
  }

  @Test
  void whoSendsHalfABodyHoldsNoTurn() throws Exception {
    List<Socket> stuck = new ArrayList<>();
    try {
      for (int i = 0; i < 80; i++) {
        Socket socket = connect();
        String half =
            "PUT "
                + PATH
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 99\r\n\r\n{";
        socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
        stuck.add(socket);
      }
      assertThat(send("PUT", PATH, PART).statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : stuck) {
        socket.close();
      }
    }
  }

  @Test
  void keepsServingWhileOthersSendHalfARequest() throws Exception {
    List<Socket> stuck = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        Socket socket = connect();
        socket
            .getOutputStream()
            .write(("PUT " + PATH + " HTTP/1.1\r\nHo").getBytes(StandardCharsets.US_ASCII));
        stuck.add(socket);
      }
      assertThat(send("PUT", PATH, PART).statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : stuck) {
        socket.close();
      }
    }
  }

  @Test
  void refusesAPortThatIsTaken() {
    assertThatThrownBy(() -> start(server.address().getPort(), null))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("control port");
  }

  @Test
  void answersNobodyOnceClosed() {
    server.close();
    assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
  }

  @Test
  void withoutATokenAPageThatLedTheBrowserHereUnderItsOwnNameChangesNothing() throws IOException {
    assertThat(raw(put("evil.example")))
        .startsWith("HTTP/1.1 421")
        .contains("urn:cascade:problem:foreign-host");
    assertThat(raw("GET /control/v1/metrics HTTP/1.1\r\nHost: evil.example:7412\r\n\r\n"))
        .startsWith("HTTP/1.1 421");
    assertThat(parts.installed).isEmpty();
    assertThat(raw(put("localhost:7412"))).startsWith("HTTP/1.1 200");
  }

  private static String put(String host) {
    return String.join(
        "\r\n",
        "PUT " + PATH + " HTTP/1.1",
        "Host: " + host,
        "Content-Type: application/json",
        "Content-Length: " + PART.length(),
        "",
        PART);
  }

  @Test
  void withoutATokenARequestOfAnotherOriginIsRefused() throws Exception {
    HttpRequest request =
        request(PATH)
            .header("Content-Type", "application/json")
            .header("Origin", "https://evil.example")
            .PUT(BodyPublishers.ofString(PART))
            .build();
    problem(HTTP.send(request, BodyHandlers.ofString()), 403);
    assertThat(parts.installed).isEmpty();
  }

  @Test
  void withATokenItAnswersUnderEveryName() throws IOException {
    restart("open-sesame");
    String get =
        """
        GET /control/v1/metrics HTTP/1.1
        Host: relay-1.example:7412
        Authorization: Bearer open-sesame

        """;
    assertThat(raw(get.replace("\n", "\r\n"))).startsWith("HTTP/1.1 200");
  }

  private void restart(String token) {
    server.close();
    server = start(token);
  }

  private ControlServer start(@Nullable String token) {
    try {
      return start(0, token);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private ControlServer start(int port, @Nullable String token) throws IOException {
    return ControlServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        token,
        new ControlRequests(parts, parts, this::probe, tests, () -> "metric 1\n"));
  }

  private ProbeReport probe(ProbeRequest request) throws UnknownHostException {
    probing.incrementAndGet();
    CountDownLatch gate = probeGate;
    if (gate != null) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    if (request.host().endsWith(".invalid")) {
      throw new UnknownHostException(request.host());
    }
    int count = request.count() == null ? 5 : request.count();
    return ProbeReport.builder()
        .host(request.host())
        .port(request.port())
        .attempts(count)
        .connected(0)
        .late(0)
        .build();
  }

  private RelayControlClient client(@Nullable String token) {
    return new RelayControlClient(uri(""), token);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(SOON);
  }

  private HttpRequest json(String method, String path, @Nullable String body) {
    HttpRequest.Builder request = request(path);
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    return request
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
  }

  private HttpResponse<String> send(String method, String path, @Nullable String body)
      throws IOException, InterruptedException {
    return HTTP.send(json(method, path, body), BodyHandlers.ofString());
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
  }

  /** The whole answer to literal octets. */
  private String raw(String request) throws IOException {
    try (Socket socket = connect();
        OutputStream output = socket.getOutputStream();
        InputStream input = socket.getInputStream()) {
      output.write(
          request
              .replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Problem problem(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    Problem problem = Json.strict().readValue(response.body(), Problem.class);
    assertThat(problem.status()).isEqualTo(status);
    assertThat(problem.title()).isNotBlank();
    return problem;
  }
}
