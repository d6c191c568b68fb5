package io.cascade.client.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.client.doctor.Finding.Verdict;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@SuppressWarnings("NullAway.Init")
class DoctorTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path proc;

  @Test
  void bbrThatTheKernelHasNotIsToBeLoaded() throws IOException {
    controls("reno cubic", "reno cubic");

    assertThat(new HostChecks(proc).congestionControls())
        .isEqualTo(
            Finding.note(
                "congestion control",
                "cubic by default; offered: reno, cubic; allowed to every user: reno, cubic",
                "modprobe tcp_bbr, and a line tcp_bbr in /etc/modules-load.d"));
  }

  @Test
  void bbrThatNotEverybodyMayTakeIsToBeAllowed() throws IOException {
    controls("reno cubic bbr", "reno cubic");

    assertThat(new HostChecks(proc).congestionControls().fix())
        .isEqualTo("sysctl -w net.ipv4.tcp_allowed_congestion_control=\"reno cubic bbr\"");
  }

  @Test
  void bbrThatEverybodyMayTakeIsWell() throws IOException {
    controls("reno cubic bbr", "reno cubic bbr");

    assertThat(new HostChecks(proc).congestionControls().verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  void littleMemoryIsNoted() throws IOException {
    write("meminfo", "MemTotal: 16000000 kB\nMemAvailable:  100000 kB\nBuffers: 1 kB\n");

    assertThat(new HostChecks(proc).memory().verdict()).isEqualTo(Verdict.NOTE);
    write("meminfo", "MemAvailable:  1000000 kB\n");
    assertThat(new HostChecks(proc).memory().verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  void anOrchestratorThatIsNotThereIsNoted() {
    URI nobody = URI.create("http://127.0.0.1:" + ReservedPort.untilTheEnd());

    List<Finding> found =
        new OrchestratorChecks(new OrchestratorClient(nobody, null), () -> NOW).all();

    assertThat(found)
        .singleElement()
        .satisfies(one -> {
          assertThat(one.verdict()).isEqualTo(Verdict.NOTE);
          assertThat(one.fix()).contains("./cascade orchestrator");
        });
  }

  @Test
  void aClockThatIsWrongIsBad() {
    assertThat(OrchestratorChecks.difference("x", Duration.ofMillis(-900)).found())
        .isEqualTo("within a second of x");
    assertThat(OrchestratorChecks.difference("x", Duration.ofSeconds(-90)))
        .isEqualTo(
            Finding.bad(
                "clock",
                "90 s behind x",
                "timedatectl set-ntp true, on the machine whose clock is wrong"));
  }

  @Test
  void theWayToAPeerThatAnswersIsDescribed() throws Exception {
    try (Answering peer = new Answering(0, () -> NOW.plusSeconds(60).toEpochMilli())) {
      List<Finding> found =
          new PeerChecks(new HostPort("127.0.0.1", peer.port()), NOW::toEpochMilli).all();

      assertThat(found)
          .extracting(Finding::what)
          .containsExactly("TCP", "UDP", "MTU", "path", "clock", "expect");
      assertThat(found)
          .filteredOn(one -> one.verdict() != Verdict.GOOD)
          .extracting(Finding::found)
          .as("only the clock is wrong")
          .containsExactly("60 s behind 127.0.0.1's");
    }
  }

  @Test
  void aPeerWithoutUdpIsNamedWithItsFix() throws Exception {
    try (ServerSocket tcpAlone = new ServerSocket(0)) {
      int port = tcpAlone.getLocalPort();
      List<Finding> found = new PeerChecks(new HostPort("127.0.0.1", port), () -> 0).all();

      assertThat(found).extracting(Finding::verdict).containsExactly(Verdict.GOOD, Verdict.BAD);
      assertThat(found.getLast().fix()).contains("./cascade doctor --answer " + port);
    }
  }

  @Test
  void packetsAreMeasuredWithTheHeadersOfTheirAddressFamily() throws Exception {
    assertThat(mtuOfAWayThatCarries(1_480 - 28, "127.0.0.1")).contains("more than 1480 bytes");
    assertThat(mtuOfAWayThatCarries(1_480 - 48, "::1")).contains("more than 1480 bytes");
  }

  private static String mtuOfAWayThatCarries(int payload, String host) throws Exception {
    try (ServerSocket tcp = new ServerSocket(0, 10, InetAddress.getByName(host));
        DatagramSocket udp = new DatagramSocket(tcp.getLocalPort(), tcp.getInetAddress())) {
      Thread.ofVirtual().start(() -> answerUpTo(payload, udp));
      return new PeerChecks(new HostPort(host, tcp.getLocalPort()), NOW::toEpochMilli)
          .all().stream()
              .filter(one -> one.what().equals("MTU"))
              .map(Finding::found)
              .findFirst()
              .orElseThrow();
    }
  }

  private static void answerUpTo(int payload, DatagramSocket udp) {
    DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
    try {
      while (true) {
        packet.setLength(2_000);
        udp.receive(packet);
        ProbeDatagram question =
            ProbeDatagram.decode(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()))
                .orElseThrow();
        if (question.bytes() <= payload) {
          byte[] answer =
              new ProbeDatagram(true, question.number(), 0, question.bytes()).encode().array();
          udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  @Test
  void whatIsNoProbeIsIgnored() {
    assertThat(ProbeDatagram.decode(java.nio.ByteBuffer.allocate(100))).isEmpty();
    assertThat(ProbeDatagram.decode(java.nio.ByteBuffer.allocate(3))).isEmpty();
    ProbeDatagram probe = new ProbeDatagram(true, 7, 8, 100);
    assertThat(ProbeDatagram.decode(probe.encode())).contains(probe);
  }

  @Test
  void lossesBoundWhatOneConnectionCarries() {
    assertThat(PeerChecks.expectation(Duration.ofMillis(64), 0.002).found())
        .contains("Mbit/s", "bbr and coded sessions");
    assertThat(PeerChecks.expectation(Duration.ofMillis(64), 0).verdict()).isEqualTo(Verdict.GOOD);
  }

  private void controls(String available, String allowed) throws IOException {
    write("sys/net/ipv4/tcp_available_congestion_control", available + "\n");
    write("sys/net/ipv4/tcp_allowed_congestion_control", allowed + "\n");
    write("sys/net/ipv4/tcp_congestion_control", "cubic\n");
  }

  private void write(String file, String text) throws IOException {
    Path path = proc.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
