package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** What nobody on the way between two relays can do to an encrypted hop, whosever TLS they have. */
@ParameterizedClass
@CsvSource({"AUTO, AUTO", "JDK, JDK", "AUTO, JDK", "JDK, AUTO"})
@Timeout(60)
@Tag("slow")
class EncryptedHopsTest {
  private static final byte[] SECRET = "the merger is on Friday ".repeat(500).getBytes();
  private static final int KEY_LIMIT = 200_000;
  private static final int TLS_HANDSHAKE = 0x16;

  private final TlsLibrary firstTls;
  private final TlsLibrary secondTls;

  private final UUID chain = UUID.randomUUID();
  private final String key = TestChain.newKey();
  private ServerSocket destination;
  private RelayNode first;
  private RelayNode second;
  private Wire wire;

  EncryptedHopsTest(TlsLibrary firstTls, TlsLibrary secondTls) {
    this.firstTls = firstTls;
    this.secondTls = secondTls;
  }

  @BeforeEach
  void start() throws IOException {
    LeakWatch.start();
    destination = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
    first = TestRelay.on(Transport.best()).tls(firstTls).start("first");
    second = TestRelay.on(Transport.best()).tls(secondTls).start("second");
    wire = Wire.to(second.hopAddress());
  }

  @AfterEach
  void stop() throws IOException {
    first.close();
    second.close();
    wire.close();
    destination.close();
    LeakWatch.assertNothingLeaks();
  }

  @Test
  void showNothingOfTheStreamAndNothingOfTheHeader() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      client.getOutputStream().write(SECRET);
      client.shutdownOutput();
      assertThat(server.getInputStream().readAllBytes()).isEqualTo(SECRET);
      assertThat(wire.sent())
          .isNotEmpty()
          .allSatisfy(sent -> {
            assertThat(sent[0]).isEqualTo((byte) TLS_HANDSHAKE);
            assertThat(new String(sent, StandardCharsets.ISO_8859_1))
                .doesNotContain("merger")
                .doesNotContain("\r\n\r\n\0\r\nQUIT\n"); // how a PROXY header begins
          });
    }
  }

  @Test
  void endWithAResetOnBothSidesWhenAByteWasChangedOnTheWay() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      wire.harmForward(Wire.Harm.CHANGE);
      client.getOutputStream().write(SECRET);
      assertReset(server);
      assertReset(client);
      assertThat(ended(second).reason()).isEqualTo("inlet-tls-failed");
      assertThat(ended(second).detail()).contains("not genuine");
    }
  }

  @Test
  void endWithAResetWhenAByteWasChangedOnTheWayBack() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      wire.harmBackward(Wire.Harm.CHANGE);
      server.getOutputStream().write(SECRET);
      assertReset(client);
      assertReset(server);
      assertThat(ended(first).reason()).isEqualTo("onward-tls-failed");
    }
  }

  @Test
  void endWithAResetOnBothSidesBeforeAKeySealsMoreThanItMay() throws Exception {
    assumeTrue(
        firstTls == TlsLibrary.AUTO && TlsLibrary.BORINGSSL.available(),
        "the JDK changes keys by itself");
    first.close();
    first = TestRelay.on(Transport.best()).tls(firstTls).startWithKeyLimit("first", KEY_LIMIT);
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      client.getOutputStream().write(new byte[KEY_LIMIT]);
      assertReset(server);
      assertReset(client);
      assertThat(ended(first).reason()).isEqualTo("onward-tls-key-limit");
      assertThat(ended(first).forward().bytesOut()).isLessThan(KEY_LIMIT);
    }
  }

  @Test
  void neverTakeATruncationForAnEnd() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      wire.harmForward(Wire.Harm.CUT);
      client.getOutputStream().write(SECRET);
      assertReset(server);
      assertThat(ended(second).detail()).contains("close_notify");
    }
  }

  @Test
  void neverTakeATruncationOnTheWayBackForAnEnd() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      wire.harmBackward(Wire.Harm.CUT);
      server.getOutputStream().write(SECRET);
      assertReset(client);
      assertThat(ended(first).detail()).contains("close_notify");
    }
  }

  @Test
  void neverTakeATruncationForAnEndWhenTheOtherDirectionHasEnded() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      client.shutdownOutput();
      assertThat(server.getInputStream().read()).isEqualTo(-1);
      wire.harmBackward(Wire.Harm.CUT);
      server.getOutputStream().write(SECRET);
      assertReset(client);
      assertThat(ended(first).reason()).isEqualTo("onward-tls-failed");
    }
  }

  @Test
  void passAResetOnAsAReset() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
      client.setSoLinger(true, 0);
      client.close();
      assertReset(server);
    }
  }

  @Test
  void areNotMadeToARelayWithAnotherCertificate() throws Exception {
    installSecond(certificate(first));
    firstGivesUpSoon();
    assertThatThrownBy(() -> installFirst("0".repeat(64)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> assertThat(problem.type()).endsWith("next-relay-unreachable"));
    assertThat(handshakes(first, "failed")).as("it has the hop's key").isPositive();
  }

  @Test
  void areNotTakenFromARelayWithAnotherCertificate() throws Exception {
    installSecond("0".repeat(64));
    firstGivesUpSoon();
    assertFirstIsTurnedAway(certificate(second), "wrong-certificate");
  }

  @Test
  void areNotTakenWithoutTls() throws Exception {
    installSecond(certificate(first));
    firstGivesUpSoon();
    assertFirstIsTurnedAway(null, "wrong-security");
  }

  @Test
  void areNotTakenWithTlsWhereThereShouldBeNone() throws Exception {
    installSecond(null);
    firstGivesUpSoon();
    assertFirstIsTurnedAway(certificate(second), "wrong-security");
  }

  @Test
  void cannotBeReplayed() throws Exception {
    try (Socket client = connect(install());
        Socket server = destination.accept()) {
      exchange(client, server);
    }
    double before = count(second, "cascade_relay_streams_opened_total");
    for (byte[] recorded : wire.sent()) {
      try (Socket again = new Socket("127.0.0.1", second.hopAddress().getPort())) {
        again.setSoTimeout((int) TestChain.PATIENCE.toMillis());
        again.getOutputStream().write(recorded);
        again.shutdownOutput();
        // The server's half of a handshake comes back, and then a reset.
        assertThatThrownBy(() -> again.getInputStream().readAllBytes())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("reset");
      }
    }
    assertThat(count(second, "cascade_relay_streams_opened_total")).isEqualTo(before);
    assertThat(count(second, "cascade_relay_tls_handshakes_total{reason=\"failed\"}")).isPositive();
  }

  @Test
  void resumeTheSessionWhenWarmConnectionsAreReplaced() throws Exception {
    int port = install();
    for (int i = 0; i < 6; i++) {
      double before = handshakes(first);
      try (Socket client = connect(port);
          Socket server = destination.accept()) {
        exchange(client, server);
        client.shutdownOutput();
        server.shutdownOutput();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      }
      // One at a time: a session can be resumed once, and each handshake brings the next one's.
      await().until(() -> handshakes(first) > before && handshakes(second) > before);
    }
    for (RelayNode relay : new RelayNode[] {first, second}) {
      assertThat(handshakes(relay, "resumed")).isGreaterThanOrEqualTo(4);
    }
  }

  private static double handshakes(RelayNode relay) throws IOException, InterruptedException {
    return handshakes(relay, "full") + handshakes(relay, "resumed");
  }

  private static double handshakes(RelayNode relay, String kind)
      throws IOException, InterruptedException {
    return count(relay, "cascade_relay_tls_handshakes_total{reason=\"" + kind + "\"}");
  }

  @Test
  void areRefusedByARelayWithoutTls() throws Exception {
    try (RelayNode plain = TestRelay.on(Transport.best()).hops(HopSecurity.PLAIN).start("plain")) {
      assertThat(TestChain.control(plain).health(TestChain.PATIENCE).certificateSha256()).isNull();
      assertThatThrownBy(() -> install(plain, part(1, "0".repeat(64))))
          .isInstanceOfSatisfying(
              ProblemException.class, problem -> assertThat(problem.type()).endsWith("unsupported"))
          .hasMessageContaining("without --hop-security plain");
    }
  }

  @Test
  void areTheOnlyOnesOfARelayThatInsists() throws Exception {
    try (RelayNode strict = TestRelay.on(Transport.best()).hops(HopSecurity.TLS).start("strict")) {
      assertThatThrownBy(() -> install(strict, part(1, null)))
          .isInstanceOf(ProblemException.class)
          .hasMessageContaining("--hop-security optional");
      install(strict, part(1, certificate(first)));
    }
  }

  /** What cannot be installed is known to be so only when the time for it has run out. */
  private void firstGivesUpSoon() throws IOException {
    first.close();
    first =
        TestRelay.on(Transport.best())
            .tls(firstTls)
            .installTimeout(Duration.ofMillis(500))
            .start("first");
  }

  /**
   * The second relay counts why; on a busy machine the first gives up before it has come so far.
   */
  private void assertFirstIsTurnedAway(@Nullable String nextCertificate, String reason) {
    String series = "cascade_relay_header_refusals_total{reason=\"" + reason + "\"}";
    await()
        .until(() -> {
          assertThatThrownBy(() -> installFirst(nextCertificate))
              .isInstanceOf(ProblemException.class);
          return count(second, series) > 0;
        });
  }

  private int install() {
    installSecond(certificate(first));
    return Objects.requireNonNull(installFirst(certificate(second)).ingressPort());
  }

  private InstalledPart installFirst(@Nullable String nextCertificate) {
    return install(
        first,
        TestParts.of(
            0,
            60,
            Ingress.builder().port(0).build(),
            null,
            HopOutlet.builder()
                .host("127.0.0.1")
                .port(wire.port())
                .key(key)
                .certificateSha256(nextCertificate)
                .build(),
            null,
            null,
            null));
  }

  private void installSecond(@Nullable String certificateBefore) {
    InstalledPart ignored = install(second, part(1, certificateBefore));
  }

  private ChainPart part(int hopIndex, @Nullable String certificateBefore) {
    return TestParts.of(
        hopIndex,
        60,
        null,
        new HopInlet(key, certificateBefore),
        null,
        Egress.builder()
            .host("127.0.0.1")
            .port(destination.getLocalPort())
            .proxyProtocol(false)
            .build(),
        null,
        null);
  }

  private InstalledPart install(RelayNode relay, ChainPart part) {
    return TestChain.control(relay).install(chain, part, TestChain.PATIENCE);
  }

  private static String certificate(RelayNode relay) {
    return Objects.requireNonNull(
        TestChain.control(relay).health(TestChain.PATIENCE).certificateSha256());
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    return socket;
  }

  private static void exchange(Socket client, Socket server) throws IOException {
    server.setSoTimeout((int) TestChain.PATIENCE.toMillis());
    client.getOutputStream().write('?');
    assertThat(server.getInputStream().read()).isEqualTo('?');
    server.getOutputStream().write('!');
    assertThat(client.getInputStream().read()).isEqualTo('!');
  }

  private static void assertReset(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().readAllBytes())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("reset");
  }

  private StreamReport ended(RelayNode relay) {
    return await()
        .until(
            () -> TestChain.control(relay).streams(chain, TestChain.PATIENCE).streams().getFirst(),
            report -> report.state() != StreamState.RUNNING);
  }

  private static double count(RelayNode relay, String series)
      throws IOException, InterruptedException {
    return metrics(relay)
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  private static String metrics(RelayNode relay) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI at =
          URI.create(
              "http://127.0.0.1:" + relay.controlAddress().getPort() + "/control/v1/metrics");
      return http.send(HttpRequest.newBuilder(at).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
