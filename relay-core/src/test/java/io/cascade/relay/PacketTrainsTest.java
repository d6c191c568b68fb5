package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.Endpoint;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainEnd;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Trains of packets between relays of this process, and with far ends that do not as they should.
 */
@Timeout(60)
class PacketTrainsTest {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final long RATE = 20_000_000;
  private static final String REFUSED = RelayControlClient.THROUGHPUT_TEST_REFUSED;
  private static final String FAILED = RelayControlClient.THROUGHPUT_TEST_FAILED;

  private final UUID test = UUID.randomUUID();
  private final String key = TestChain.newKey();
  private RelayNode r1;
  private RelayNode r2;

  @BeforeEach
  void start() throws IOException {
    r1 = TestRelay.on(Transport.NIO).start("r1");
    r2 = TestRelay.on(Transport.NIO).start("r2");
  }

  @AfterEach
  void stop() {
    r1.close();
    r2.close();
  }

  @Test
  void packetsComeBackAndAreTakenFromBothBudgets() {
    expect(r2, test, key, 200);
    PacketTrainReport report = run(r1, test, hop(r2), 200, RATE);
    assertThat(report.packets()).isEqualTo(200);
    assertThat(report.packetBytes()).isEqualTo(1_472);
    assertThat(report.endedBy()).isEqualTo(PacketTrainEnd.PACKETS);
    assertThat(report.reflected() + report.lostThere()).isEqualTo(200);
    assertThat(report.reflected()).isPositive();
    assertThat(report.minRttMillis()).isPositive();
    assertThat(report.sentBitsPerSecond()).isPositive().isLessThan(2.0 * RATE);
    long moved = (200L + report.reflected() - report.lostBack()) * 1_472;
    assertThat(metrics(r1)).contains("cascade_relay_test_moved_bytes_total " + (double) moved);
    assertThat(metrics(r1))
        .contains("cascade_relay_test_budget_left_bytes " + (double) ((256 << 20) - moved));
    await().until(() -> metrics(r2).contains("tests_total{reason=\"completed\"} 1.0"));
  }

  @Test
  void afterATrainTheNextOneMayCome() {
    expect(r2, test, key, 20);
    run(r1, test, hop(r2), 20, RATE);
    UUID next = UUID.randomUUID();
    await().ignoreExceptions().untilAsserted(() -> expect(r1, next, key, 20));
    await().ignoreExceptions().untilAsserted(() -> expect(r2, UUID.randomUUID(), key, 20));
  }

  @Test
  void aFarEndThatIsNotThereIsNamedWithTheFix() throws IOException {
    try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Endpoint nobody = new Endpoint("127.0.0.1", silent.getLocalPort());
      problem(() -> run(r1, test, nobody, 20, RATE), FAILED, "open that UDP port");
    }
  }

  @Test
  void aFarEndWithAnotherKeyAnswersNothing() {
    expect(r2, test, TestChain.newKey(), 20);
    problem(() -> run(r1, test, hop(r2), 20, RATE), FAILED, "answered none of 20");
  }

  @Test
  void aFarEndThatSendsThePacketsBackAsTheyCameIsNotBelieved() throws IOException {
    try (DatagramSocket mirror = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> mirror(mirror));
      Endpoint far = new Endpoint("127.0.0.1", mirror.getLocalPort());
      problem(() -> run(r1, test, far, 20, RATE), FAILED, "answered none of 20");
    }
  }

  @Test
  void oneAtATimeAndNoneLongerThanHalfAMinute() {
    expect(r2, test, key, 20);
    problem(() -> expect(r2, UUID.randomUUID(), key, 20), REFUSED, "under way");
    problem(
        () -> run(r1, UUID.randomUUID(), hop(r2), 10_000, 1_000_000),
        "urn:cascade:problem:invalid-request",
        "take longer than 30 s");
  }

  @Test
  void aRelayWithoutABudgetTakesNoPart() throws IOException {
    try (RelayNode none = TestRelay.on(Transport.NIO).testBudget(0).start("none")) {
      problem(() -> expect(none, test, key, 20), REFUSED, "budget for an hour, 0 bytes");
      problem(() -> run(none, test, hop(r2), 20, RATE), REFUSED, "larger --test-budget");
    }
  }

  @Test
  void packetsWithoutAKeyGetNothingFromARelayThatReflects() throws IOException {
    expect(r2, test, key, 20);
    try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      byte[] full = new byte[1_472];
      InetSocketAddress to = new InetSocketAddress("127.0.0.1", hop(r2).port());
      for (int i = 0; i < 50; i++) {
        full[26] = (byte) (test.getLeastSignificantBits() >> 8);
        full[27] = (byte) (test.getLeastSignificantBits() | 1);
        stranger.send(new DatagramPacket(full, full.length, to));
      }
      // The train that comes afterwards is the first that is answered.
      PacketTrainReport report = run(r1, test, hop(r2), 20, RATE);
      assertThat(report.reflected()).isPositive();
      stranger.setSoTimeout(1);
      assertThatThrownBy(() -> stranger.receive(new DatagramPacket(full, full.length)))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  private static void mirror(DatagramSocket socket) {
    byte[] buffer = new byte[2_048];
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        socket.receive(packet);
        socket.send(packet);
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void problem(Runnable action, String type, String detail) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.type()).isEqualTo(type))
        .hasMessageContaining(detail);
  }

  private static void expect(RelayNode relay, UUID test, String key, int packets) {
    control(relay).reflectPacketTrain(test, new PacketTrainReflection(key, "r1", packets), SOON);
  }

  private PacketTrainReport run(
      RelayNode relay, UUID test, Endpoint to, int packets, long bitsPerSecond) {
    return control(relay)
        .runPacketTrain(
            PacketTrain.builder()
                .testId(test)
                .to(to)
                .peer("r2")
                .key(key)
                .packets(packets)
                .bitsPerSecond(bitsPerSecond)
                .build(),
            SOON);
  }

  private static RelayControlClient control(RelayNode relay) {
    return new RelayControlClient(
        URI.create("http://127.0.0.1:" + relay.controlAddress().getPort()), null);
  }

  private static Endpoint hop(RelayNode relay) {
    return new Endpoint("127.0.0.1", relay.hopAddress().getPort());
  }

  private static String metrics(RelayNode relay) {
    try (InputStream in =
        URI.create("http://127.0.0.1:" + relay.controlAddress().getPort() + "/control/v1/metrics")
            .toURL()
            .openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
