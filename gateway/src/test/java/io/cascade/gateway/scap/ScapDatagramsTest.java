package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.Json;
import io.cascade.api.scap.PipeEmployment;
import io.cascade.api.scap.ScapConnection;
import io.cascade.api.scap.ScapPipe;
import io.cascade.api.scap.ScapPolicy;
import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.kernel.CLibrary;
import io.cascade.kernel.Kernel;
import io.cascade.kernel.NetworkNamespace;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.scap.AdmissionPolicy;
import io.cascade.packets.scap.Mode;
import io.cascade.packets.scap.ScapSettings;
import io.cascade.packets.signalling.SignallingMethod;
import io.cascade.testing.Golden;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two routers in networks of their own with two links between them, over which packets go in
 * datagrams; this test is the hosts behind either. Needs root.
 */
class ScapDatagramsTest {
  private static final int SYN = 0x02;
  private static final int ACK = 0x10;
  private static final byte[] NEAR_HOST = {10, 0, 0, 1};
  private static final byte[] FAR_HOST = {10, 1, 0, 1};

  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment buffer = Arena.ofAuto().allocate(2_048);
  private final List<Router> routers = new ArrayList<>();

  @BeforeEach
  void network() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
            && Files.exists(Path.of("/dev/net/tun")),
        "SKIPPED: needs root and /dev/net/tun");
    Router near = new Router("near");
    Router far = new Router("far");
    routers.addAll(List.of(near, far));
    for (int i = 0; i < 2; i++) {
      int link = i;
      near.network.call(() -> {
        IpCommand.run(
            List.of(
                "link add wan%d type veth peer name wan%d netns %d"
                    .formatted(link, link, far.network.threadId())));
        return true;
      });
      near.address("wan" + i, "192.0.%d.1/24".formatted(i));
      far.address("wan" + i, "192.0.%d.2/24".formatted(i));
    }
  }

  @AfterEach
  void remove() throws InterruptedException {
    for (Router router : routers) {
      router.remove();
    }
  }

  @Test
  void aConnectionIsSplitOverBothAndCombined() {
    begin(SignallingMethod.NONE);
    open();

    for (int i = 0; i < 20; i++) {
      near().host(packet(true, ACK, 1 + 100 * i, 101, 100));
    }
    for (int i = 0; i < 20; i++) {
      TcpPacket arrived = far().arrives();
      assertThat(arrived.sequence()).isEqualTo(1 + 100 * i);
      assertThat(arrived.bytes()[8]).as("forwarded once").isEqualTo((byte) 63);
    }
    far().host(packet(false, ACK, 101, 2_001, 0));
    assertThat(near().arrives().acknowledgment()).isEqualTo(2_001);
  }

  @Test
  void propertiesAreMeasured() {
    begin(SignallingMethod.NONE);

    await()
        .untilAsserted(() -> {
          ScapPipe pipe = near().pipes().getFirst();
          assertThat(pipe.measured()).isTrue();
          assertThat(pipe.up()).isTrue();
          assertThat(pipe.roundTripMillis()).isLessThan(90);
          assertThat(pipe.bitsPerSecond()).isGreaterThan(1_000_000);
        });
    assertThat(near().pipes().getFirst().peer()).isEqualTo("192.0.0.2:7710");
  }

  @Test
  void theEndsFindEachOtherByMessages() {
    begin(SignallingMethod.OUT_OF_BAND);
    open();

    await()
        .untilAsserted(() -> {
          assertThat(near().connections()).extracting(ScapConnection::peer).contains("present");
          assertThat(far().connections()).extracting(ScapConnection::peer).contains("present");
        });
  }

  @Test
  void aPipeThatDiesIsLeftAndComesBack() {
    begin(SignallingMethod.NONE);
    open();

    far().ip("link set wan1 down");
    await().untilAsserted(() -> assertThat(near().pipes().get(1).up()).isFalse());
    near().host(packet(true, ACK, 1, 101, 100));
    near().host(packet(true, ACK, 101, 101, 100));
    assertThat(far().arrives().sequence()).isEqualTo(1);
    assertThat(far().arrives().sequence()).isEqualTo(101);

    far().ip("link set wan1 up");
    await().untilAsserted(() -> assertThat(near().pipes().get(1).up()).isTrue());
  }

  @Test
  void operatorsWithdrawAPipeAndEmployItAgain() {
    begin(SignallingMethod.NONE);
    open();
    long before = near().pipes().getFirst().sentPackets();

    near().client().put("/pipes/0", new PipeEmployment(false));
    for (int i = 0; i < 10; i++) {
      near().host(packet(true, ACK, 1 + 100 * i, 101, 100));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(far().arrives().sequence()).as("nothing is lost").isEqualTo(1 + 100 * i);
    }
    assertThat(near().pipes().getFirst().sentPackets()).isEqualTo(before);
    assertThat(near().pipes().getFirst().employed()).isFalse();

    near().client().put("/pipes/0", new PipeEmployment(true));
    assertThat(near().pipes().getFirst().employed()).isTrue();
  }

  @Test
  @Tag(Golden.TAG)
  void saysItsPolicyAndMetrics() {
    begin(SignallingMethod.HYBRID);
    open();

    ScapPolicy policy = Json.lenient().readValue(near().client().get("/policy"), ScapPolicy.class);
    assertThat(policy.mode()).isEqualTo("pair");
    assertThat(policy.signalling()).isEqualTo("hybrid");
    assertThat(policy.segmentBytes()).as("room for the datagram").isEqualTo(1_500 - 48 - 40);
    String metrics = near().client().get("/metrics");
    Golden.checkMetrics("scap", metrics.lines());
    assertThat(metrics)
        .contains("cascade_scap_connections 1\n")
        .contains("cascade_scap_operations_total{op=\"deliver\"}")
        .contains("cascade_scap_pipe_up{pipe=\"1\",device=\"wan1\"} 1\n");
  }

  @Test
  void aPageThatLedTheBrowserHereUnderItsOwnNameChangesNothing() throws IOException {
    begin(SignallingMethod.NONE);

    int port = near().controls.getFirst().address().getPort();
    try (Socket page = new Socket(InetAddress.getLoopbackAddress(), port)) {
      page.getOutputStream()
          .write(
              """
              PUT /scap/v1/pipes/0 HTTP/1.1
              Host: evil.example
              Content-Length: 18
              Connection: close

              {"employed":false}\
              """
                  .replace("\n", "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(page.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 421");
    }
    assertThat(near().pipes().getFirst().employed()).isTrue();
  }

  @Test
  void refusesWhatItCannotDo() {
    begin(SignallingMethod.NONE);

    assertThatThrownBy(() -> near().client().get("/pipes/7"))
        .isInstanceOf(CommandException.class)
        .hasMessage("There is no pipe 7");
    assertThatThrownBy(() -> near().client().put("/pipes/0", "yes"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("{\"employed\":false}");
    assertThatThrownBy(() -> near().client().get("/elsewhere"))
        .isInstanceOf(CommandException.class);
  }

  private void begin(SignallingMethod method) {
    near().begin("10.1.0.0/24", method, 2);
    far().begin("10.0.0.0/24", method, 1);
    await()
        .untilAsserted(() -> {
          assertThat(near().pipes()).extracting(ScapPipe::up).containsOnly(true);
          assertThat(far().pipes()).extracting(ScapPipe::up).containsOnly(true);
        });
  }

  private void open() {
    near().host(packet(true, SYN, 0, 0, 0));
    assertThat(far().arrives().syn()).isTrue();
    far().host(packet(false, SYN | ACK, 100, 1, 0));
    assertThat(near().arrives().syn()).isTrue();
    near().host(packet(true, ACK, 1, 101, 0));
    assertThat(far().arrives().acknowledgment()).isEqualTo(101);
  }

  private Router near() {
    return routers.getFirst();
  }

  private Router far() {
    return routers.getLast();
  }

  private static byte[] packet(
      boolean fromNear, int flags, int sequence, int acknowledgment, int octets) {
    ByteBuffer to = ByteBuffer.allocate(40 + octets);
    to.putShort((short) 0x4500).putShort((short) (40 + octets)).putInt(0x4000);
    to.put((byte) 64).put((byte) 6).putShort((short) 0);
    to.put(fromNear ? NEAR_HOST : FAR_HOST).put(fromNear ? FAR_HOST : NEAR_HOST);
    to.putShort((short) (fromNear ? 1_000 : 80)).putShort((short) (fromNear ? 80 : 1_000));
    to.putInt(sequence).putInt(acknowledgment).putShort((short) (0x5000 | flags));
    to.putShort((short) 1_000);
    to.putShort(10, (short) InternetChecksum.of(InternetChecksum.sum(to.array(), 0, 20, 0)));
    return to.array();
  }

  /** A router with hosts behind the device lan0, which the test reads and writes. */
  private final class Router {
    private final NetworkNamespace network;
    private final TunDevice lan;
    private final List<ScapHost> hosts = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<ScapControl> controls = new ArrayList<>();

    Router(String name) {
      this.network = NetworkNamespace.make(name);
      this.lan =
          network.call(() -> {
            Files.writeString(Path.of("/proc/sys/net/ipv4/ip_forward"), "1");
            TunDevice device = TunDevice.make("lan0");
            String subnet = name.equals("near") ? "10.0.0.0/24" : "10.1.0.0/24";
            IpCommand.run(List.of("link set lo up", "link set lan0 up"));
            IpCommand.run(List.of("route add " + subnet + " dev lan0"));
            return device;
          });
    }

    void address(String device, String address) {
      ip("addr add %s dev %s".formatted(address, device));
      ip("link set %s up".formatted(device));
    }

    void ip(String line) {
      network.call(() -> {
        IpCommand.run(List.of(line));
        return true;
      });
    }

    void begin(String prefix, SignallingMethod method, int peer) {
      List<PipeSpec> pipes =
          List.of(
              PipeSpec.parse("wan0,peer=192.0.0.%d:7710".formatted(peer)),
              PipeSpec.parse("wan1,peer=192.0.1.%d:7710".formatted(peer)));
      CaptureRoutes routes =
          new CaptureRoutes("scap", "lan0", List.of(prefix), List.of(), pipes, 7_700);
      ScapSettings settings =
          new ScapSettings(
              Mode.PAIR,
              new AdmissionPolicy(0, Set.of(), List.of()),
              new PipeSelection.All(),
              method,
              100,
              network.call(() -> HostDevices.mostSegmentBytes(pipes)),
              1 << 20);
      ScapHost host = network.call(() -> ScapHost.open(routes, settings));
      hosts.add(host);
      threads.add(Thread.ofPlatform().daemon().start(host::run));
      // In this test's own network, where its client is.
      controls.add(ScapControl.start(new InetSocketAddress("127.0.0.1", 0), host));
    }

    ControlClient client() {
      return new ControlClient("127.0.0.1:" + controls.getFirst().address().getPort());
    }

    List<ScapPipe> pipes() {
      return List.of(Json.lenient().readValue(client().get("/pipes"), ScapPipe[].class));
    }

    List<ScapConnection> connections() {
      return List.of(
          Json.lenient().readValue(client().get("/connections"), ScapConnection[].class));
    }

    /** A host behind this router sends. */
    void host(byte[] packet) {
      MemorySegment.copy(packet, 0, buffer, ValueLayout.JAVA_BYTE, 0, packet.length);
      assertThat(Kernel.write(state, lan.descriptor(), buffer.address(), packet.length))
          .isEqualTo(packet.length);
    }

    /** What a host behind this router gets next. */
    TcpPacket arrives() {
      return await()
          .until(
              () -> {
                long length =
                    Kernel.read(state, lan.descriptor(), buffer.address(), buffer.byteSize());
                if (length <= 0) {
                  return null;
                }
                byte[] bytes = new byte[(int) length];
                MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
                return PacketParser.parse(bytes, bytes.length) instanceof TcpPacket tcp
                    ? tcp
                    : null;
              },
              found -> found != null);
    }

    void remove() throws InterruptedException {
      controls.forEach(ScapControl::close);
      for (int i = 0; i < hosts.size(); i++) {
        ScapHost host = hosts.get(i);
        host.stop();
        threads.get(i).join();
        network.call(() -> {
          host.close();
          return true;
        });
      }
      Kernel.close(lan.descriptor());
      network.close();
    }
  }
}
