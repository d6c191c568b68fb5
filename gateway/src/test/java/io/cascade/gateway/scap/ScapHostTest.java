package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.orchestrator.SplitterPipe;
import io.cascade.api.orchestrator.SplitterReport;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Runs in a network of its own: this test is the hosts, at the other end of its devices; the kernel
 * between them is the router. Needs root.
 */
class ScapHostTest {
  private static final int SYN = 0x02;
  private static final int ACK = 0x10;
  private static final List<String> DEVICES = List.of("lan0", "lan1", "wan0", "wan1");

  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment packet = Arena.ofAuto().allocate(2_048);
  private final List<Integer> descriptors = new ArrayList<>();
  private @Nullable NetworkNamespace router;
  private @Nullable ScapHost host;

  @BeforeEach
  void network() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
            && Files.exists(Path.of("/dev/net/tun")),
        "SKIPPED: needs root and /dev/net/tun");
    NetworkNamespace made = NetworkNamespace.make("router");
    router = made;
    made.call(() -> {
      set("ipv6/conf/default/disable_ipv6", "1");
      set("ipv4/ip_forward", "1");
      for (String name : DEVICES) {
        descriptors.add(TunDevice.make(name).descriptor());
        IpCommand.run(List.of("link set " + name + " up"));
        set("ipv4/conf/" + name + "/rp_filter", "0");
      }
      IpCommand.run(List.of("route add 10.0.0.0/24 dev lan0", "route add 10.1.0.0/24 dev wan0"));
      return true;
    });
  }

  @AfterEach
  void remove() {
    if (router != null) {
      NetworkNamespace made = router;
      ScapHost opened = host;
      if (opened != null) {
        opened.stop();
        made.call(() -> true);
      }
      descriptors.forEach(Kernel::close);
      made.close();
    }
  }

  @Test
  void packetsOfAConnectionGoByBothPipesAndBack() {
    begin(Mode.ROUND_ROBIN);

    sends("lan0", true, SYN, 0, 0);
    assertThat(comes("wan0").syn()).isTrue();
    sends("wan0", false, SYN | ACK, 500, 0);
    assertThat(comes("lan0").acknowledgment()).isEqualTo(1);
    for (int i = 0; i < 4; i++) {
      sends("lan0", true, ACK, 1 + 100 * i, 100);
    }
    assertThat(comes("wan0").sequence()).isEqualTo(1);
    assertThat(comes("wan1").sequence()).isEqualTo(101);
    assertThat(comes("wan0").sequence()).isEqualTo(201);
    TcpPacket last = comes("wan1");
    assertThat(last.sequence()).isEqualTo(301);
    assertThat(last.payloadLength()).isEqualTo(100);
    assertThat(last.bytes()[8]).as("time to live").isEqualTo((byte) 63);
    sends("wan1", false, ACK, 501, 0);
    assertThat(comes("lan0").sequence()).isEqualTo(501);
  }

  @Test
  void reportsCountWhatWasDoneAndSayWhoCarriedItSinceTheReportBefore() {
    SplitterReports reports = new SplitterReports(begin(Mode.ROUND_ROBIN), "1");
    SplitterReport idle = reports.next();
    assertThat(idle.policy().mode()).isEqualTo("round-robin");
    assertThat(idle.policy().selection()).isEqualTo("all");
    assertThat(idle.pipes()).extracting(SplitterPipe::device).containsExactly("wan0", "wan1");
    assertThat(idle.pipes()).extracting(SplitterPipe::share).containsOnlyNulls();

    sends("lan0", true, SYN, 0, 0);
    comes("wan0");
    SplitterReport opened = reports.next();
    assertThat(opened.connections()).isEqualTo(1);
    assertThat(opened.pipes()).extracting(SplitterPipe::share).containsExactly(1.0, 0.0);
    sends("wan0", false, SYN | ACK, 500, 0);
    comes("lan0");
    sends("lan0", true, ACK, 1, 100);
    sends("lan0", true, ACK, 101, 100);
    comes("wan0");
    comes("wan1");

    SplitterReport split = reports.next();
    assertThat(split.operations().deliver()).isEqualTo(2);
    assertThat(split.operations().drop()).isZero();
    assertThat(split.pipes()).extracting(SplitterPipe::share).containsExactly(0.5, 0.5);
    assertThat(split.pipes()).allMatch(SplitterPipe::up);
    assertThat(split.instance()).isEqualTo(idle.instance());
  }

  @Test
  void duplicateAcknowledgmentsThatDefEstimatedEndHere() {
    begin(Mode.DEF);
    sends("lan0", true, SYN, 0, 0);
    sends("wan0", false, SYN | ACK, 500, 0);
    comes("lan0");
    for (int i = 0; i < 3; i++) {
      sends("lan0", true, ACK, 1 + 100 * i, 100);
    }
    comes("wan0");
    comes("wan0");
    comes("wan0");

    acknowledges(101);
    acknowledges(101);
    acknowledges(101);
    acknowledges(301);
    assertThat(comes("lan0").acknowledgment()).isEqualTo(101);
    assertThat(comes("lan0").acknowledgment()).isEqualTo(101);
    assertThat(comes("lan0").acknowledgment()).isEqualTo(301);
  }

  @Test
  void theKernelForwardsByItselfBeforeAndAfter() {
    sends("lan0", true, ACK, 7, 10);
    assertThat(comes("wan0").sequence()).isEqualTo(7);

    ScapHost opened = begin(Mode.DEF);
    sends("lan0", true, ACK, 17, 10);
    assertThat(comes("wan0").sequence()).isEqualTo(17);
    opened.stop();
    router().call(() -> true); // Its thread is free again once the host is closed.
    host = null;

    sends("lan0", true, ACK, 27, 10);
    assertThat(comes("wan0").sequence()).isEqualTo(27);
    assertThat(opened.counts().outbound()).isEqualTo(1);
  }

  /** What a killed process leaves: no devices, but rules. */
  @Test
  void whenItsDevicesAreGoneTheKernelForwardsAndTheNextOneBegins() {
    begin(Mode.DEF).stop();
    router().call(() -> true);
    host = null;
    ScapHost left =
        router()
            .call(() -> {
              ScapHost opened = ScapHost.open(routes(), settings(Mode.DEF));
              IpCommand.run(List.of("link del scap-near", "link del scap-pipe0"));
              return opened;
            });

    sends("lan0", true, ACK, 7, 10);
    assertThat(comes("wan0").sequence()).isEqualTo(7);
    assertThatThrownBy(left::run)
        .isInstanceOf(CommandException.class)
        .hasMessage("a TUN device was removed; the kernel forwards by itself again");
    router()
        .call(() -> {
          IpCommand.run(List.of("link del scap-pipe1"));
          return true;
        });

    ScapHost next = begin(Mode.DEF);
    sends("lan0", true, ACK, 17, 10);
    assertThat(comes("wan0").sequence()).isEqualTo(17);
    next.stop();
    router().call(() -> true);
    host = null;
    assertThat(next.counts().outbound()).isEqualTo(1);
  }

  @Test
  void rulesThatAKilledOneHasLeftAreRemovedWhateverItsPrefixesWere() {
    String ofAnother = "7800:\tfrom all to 10.8.0.0/16 lookup 7800";
    router()
        .call(() -> {
          IpCommand.run(
              List.of(
                  "rule add pref 7700 iif lan0 to 10.7.0.0/16 lookup 7700",
                  "rule add pref 7700 iif gone0 from 10.7.0.0/16 lookup 7705",
                  "rule add pref 7800 to 10.8.0.0/16 lookup 7800"));
          return true;
        });

    router().call(() -> ScapHost.open(routes(), settings(Mode.DEF)));
    assertThat(rules()).noneMatch(rule -> rule.contains("10.7.0.0/16")).contains(ofAnother);
    assertThat(rules()).contains("7700:\tfrom all to 10.1.0.0/24 iif lan0 lookup 7700");
  }

  @Test
  void aNamesakeByMistakeLeavesTheOneThatRunsAsItIs() {
    router().call(() -> ScapHost.open(routes(), settings(Mode.DEF)));
    List<String> before = rules();

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(routes(), settings(Mode.DEF))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot make the device scap-near");
    assertThat(rules()).isEqualTo(before).anyMatch(rule -> rule.startsWith("7700:"));
  }

  @Test
  void tablesThatAnotherOneUsesAreNamedAndStayAsTheyAre() {
    router().call(() -> ScapHost.open(routes(), settings(Mode.DEF)));
    List<String> before = rules();
    CaptureRoutes used = routes();
    CaptureRoutes other =
        new CaptureRoutes("scap2", "lan1", used.far(), List.of(), used.farPipes(), used.table());

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(other, settings(Mode.DEF))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("the routing table 7700 leads to scap-near");
    assertThat(rules()).isEqualTo(before).anyMatch(rule -> rule.startsWith("7700:"));
  }

  /** Nothing but the ports of its pipes tells that it runs. */
  @Test
  void aNamesakeOfAChainOfDatagramsLeavesItAsItIsToo() {
    List<PipeSpec> far = List.of(PipeSpec.parse("wan0,peer=10.1.0.9:7710,via=10.1.0.1"));
    List<PipeSpec> near = List.of(PipeSpec.parse("lan0,peer=10.0.0.9:7711,via=10.0.0.1"));
    CaptureRoutes chain = new CaptureRoutes("scap", null, List.of("10.1.0.0/24"), near, far, 7_700);
    router()
        .call(() -> {
          IpCommand.run(
              List.of("address add 10.0.0.254/24 dev lan0", "address add 10.1.0.254/24 dev wan0"));
          return ScapHost.open(chain, settings(Mode.PAIR));
        });
    List<String> before = rules();

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(chain, settings(Mode.PAIR))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot take UDP port");
    assertThat(rules()).isEqualTo(before).anyMatch(rule -> rule.startsWith("7700:"));
  }

  /** Hosts behind another scap at lan0 and lan1; what it split is combined and split again. */
  @Test
  void inAChainWhatWasSplitIsPutInOrderAndSplitAgain() {
    CaptureRoutes chain =
        new CaptureRoutes(
            "scap",
            null,
            List.of("10.1.0.0/24"),
            List.of(PipeSpec.parse("lan0,rtt=10ms"), PipeSpec.parse("lan1,rtt=30ms")),
            List.of(
                PipeSpec.parse("wan0,rtt=40ms,rate=1Mbit"),
                PipeSpec.parse("wan1,rtt=40ms,rate=1Mbit")),
            7_700);
    begin(chain, Mode.PAIR);

    sends("lan0", true, SYN, 0, 0);
    assertThat(comes("wan0").syn()).isTrue();
    sends("wan0", false, SYN | ACK, 500, 0);
    assertThat(comes("lan0").acknowledgment()).isEqualTo(1);
    sends("lan1", true, ACK, 1_001, 1_000);
    sends("lan0", true, ACK, 1, 1_000);
    sends("lan0", true, ACK, 2_001, 1_000);

    assertThat(comes("wan0").sequence()).isEqualTo(1);
    assertThat(comes("wan1").sequence()).isEqualTo(1_001);
    assertThat(comes("wan0").sequence()).isEqualTo(2_001);
    sends("wan1", false, ACK, 501, 0);
    assertThat(comes("lan0").sequence()).isEqualTo(501);
  }

  @Test
  void aMissingDeviceIsNamed() {
    List<PipeSpec> pipes = List.of(PipeSpec.parse("wan7,rtt=1ms"));
    CaptureRoutes routes =
        new CaptureRoutes("scap", "lan0", List.of("10.1.0.0/24"), List.of(), pipes, 7_700);

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(routes, settings(Mode.DEF))))
        .isInstanceOf(CommandException.class)
        .hasMessage("no network device wan7 here; ip link lists them");
  }

  @Test
  void aKernelThatDoesNotForwardIsNamed() {
    router()
        .call(() -> {
          set("ipv4/ip_forward", "0");
          return true;
        });

    assertThatThrownBy(() -> begin(Mode.DEF))
        .isInstanceOf(CommandException.class)
        .hasMessageEndingWith("sysctl -w net.ipv4.ip_forward=1");
  }

  /** Runs it on the thread that lives in the network, until it is stopped. */
  private ScapHost begin(Mode mode) {
    return begin(routes(), mode);
  }

  private ScapHost begin(CaptureRoutes routes, Mode mode) {
    ScapHost opened = router().call(() -> ScapHost.open(routes, settings(mode)));
    host = opened;
    Thread.ofVirtual()
        .start(() ->
            router()
                .call(() -> {
                  opened.run();
                  opened.close();
                  return true;
                }));
    assertThat(opened.ask(() -> true)).as("it runs").isTrue();
    return opened;
  }

  private List<String> rules() {
    return router().call(() -> IpCommand.show(List.of("-N", "rule", "show")));
  }

  private static CaptureRoutes routes() {
    List<PipeSpec> pipes =
        List.of(PipeSpec.parse("wan0,rtt=40ms"), PipeSpec.parse("wan1,rtt=80ms"));
    return new CaptureRoutes("scap", "lan0", List.of("10.1.0.0/24"), List.of(), pipes, 7_700);
  }

  private static ScapSettings settings(Mode mode) {
    return new ScapSettings(
        mode,
        new AdmissionPolicy(0, Set.of(), List.of()),
        new PipeSelection.All(),
        SignallingMethod.NONE,
        100,
        1_460,
        1 << 20);
  }

  private NetworkNamespace router() {
    if (router == null) {
      throw new AssertionError("no network");
    }
    return router;
  }

  private void acknowledges(int number) {
    write("wan0", segment(false, ACK, 501, number, 0));
  }

  private void sends(String device, boolean fromNear, int flags, int sequence, int octets) {
    write(device, segment(fromNear, flags, sequence, 1, octets));
  }

  private static byte[] segment(
      boolean fromNear, int flags, int sequence, int acknowledgment, int octets) {
    ByteBuffer to = ByteBuffer.allocate(40 + octets);
    byte[] near = {10, 0, 0, 1};
    byte[] far = {10, 1, 0, 1};
    to.putShort((short) 0x4500).putShort((short) (40 + octets)).putInt(0x4000);
    to.put((byte) 64).put((byte) 6).putShort((short) 0);
    to.put(fromNear ? near : far).put(fromNear ? far : near);
    to.putShort((short) (fromNear ? 1_000 : 80)).putShort((short) (fromNear ? 80 : 1_000));
    to.putInt(sequence).putInt(acknowledgment).putShort((short) (0x5000 | flags));
    to.putShort((short) 1_000);
    to.putShort(10, (short) InternetChecksum.of(InternetChecksum.sum(to.array(), 0, 20, 0)));
    return to.array();
  }

  private void write(String device, byte[] bytes) {
    MemorySegment.copy(bytes, 0, packet, ValueLayout.JAVA_BYTE, 0, bytes.length);
    assertThat(Kernel.write(state, descriptor(device), packet.address(), bytes.length))
        .isEqualTo(bytes.length);
  }

  /** The next packet that leaves by a device. */
  private TcpPacket comes(String device) {
    return await()
        .until(
            () -> {
              long length =
                  Kernel.read(state, descriptor(device), packet.address(), packet.byteSize());
              if (length <= 0) {
                return null;
              }
              byte[] bytes = new byte[(int) length];
              MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
              return PacketParser.parse(bytes, bytes.length) instanceof TcpPacket tcp ? tcp : null;
            },
            found -> found != null);
  }

  private int descriptor(String device) {
    return descriptors.get(DEVICES.indexOf(device));
  }

  private static void set(String setting, String value) throws Exception {
    Files.writeString(Path.of("/proc/sys/net", setting), value);
  }
}
