package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/**
 * Runs in a network of its own: this test is the hosts, at the other end of its devices; the kernel
 * between them is the router. Needs root.
 */
abstract class ScapNetwork {
  static final int SYN = 0x02;
  static final int ACK = 0x10;
  private static final List<String> DEVICES = List.of("lan0", "lan1", "wan0", "wan1");

  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment packet = Arena.ofAuto().allocate(2_048);
  private final List<Integer> descriptors = new ArrayList<>();
  private @Nullable NetworkNamespace router;
  @Nullable ScapHost host;

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

  /** Runs it on the thread that lives in the network, until it is stopped. */
  ScapHost begin(Mode mode) {
    return begin(routes(), mode);
  }

  ScapHost begin(CaptureRoutes routes, Mode mode) {
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

  List<String> rules() {
    return router().call(() -> IpCommand.show(List.of("-N", "rule", "show")));
  }

  static CaptureRoutes routes() {
    List<PipeSpec> pipes =
        List.of(PipeSpec.parse("wan0,rtt=40ms"), PipeSpec.parse("wan1,rtt=80ms"));
    return new CaptureRoutes("scap", "lan0", List.of("10.1.0.0/24"), List.of(), pipes, 7_700);
  }

  static ScapSettings settings(Mode mode) {
    return new ScapSettings(
        mode,
        new AdmissionPolicy(0, Set.of(), List.of()),
        new PipeSelection.All(),
        SignallingMethod.NONE,
        100,
        1_460,
        1 << 20);
  }

  NetworkNamespace router() {
    if (router == null) {
      throw new AssertionError("no network");
    }
    return router;
  }

  void acknowledges(int number) {
    write("wan0", segment(false, ACK, 501, number, 0));
  }

  void sends(String device, boolean fromNear, int flags, int sequence, int octets) {
    write(device, segment(fromNear, flags, sequence, 1, octets));
  }

  static byte[] segment(boolean fromNear, int flags, int sequence, int acknowledgment, int octets) {
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
  TcpPacket comes(String device) {
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

  static void set(String setting, String value) throws Exception {
    Files.writeString(Path.of("/proc/sys/net", setting), value);
  }
}
