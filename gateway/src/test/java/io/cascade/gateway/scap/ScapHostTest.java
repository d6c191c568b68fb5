package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.SplitterPipe;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.kernel.Kernel;
import io.cascade.kernel.NetworkDevice;
import io.cascade.kernel.RawSocket;
import io.cascade.kernel.TunDevice;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.scap.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A splitter/combiner of a router: what becomes of packets, and of devices. */
class ScapHostTest extends ScapNetwork {
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

  /** The kernel removes a device's routes when it goes down, and does not bring them back. */
  @Test
  void aPipeWhoseDeviceWasDownIsUsedAgain() {
    ScapHost opened = begin(Mode.ROUND_ROBIN);
    sends("lan0", true, SYN, 0, 0);
    sends("wan0", false, SYN | ACK, 500, 0);
    comes("lan0");

    assertThat(link(opened, "wan1", "down")).isTrue();
    await().until(() -> !isUp(opened, 1));
    assertThat(link(opened, "wan1", "up")).isTrue();
    await().until(() -> isUp(opened, 1));

    assertThat(opened.ask(() -> IpCommand.show(List.of("route", "show", "table", "7704"))))
        .singleElement()
        .asString()
        .contains("dev wan1");
    sends("lan0", true, ACK, 1, 100);
    sends("lan0", true, ACK, 101, 100);
    assertThat(comes("wan1").payloadLength()).isEqualTo(100);
  }

  @Test
  void aQuestionThatThrowsAnErrorEndsNothing() {
    ScapHost opened = begin(Mode.ROUND_ROBIN);

    assertThatThrownBy(() ->
            opened.ask(() -> {
              throw new OutOfMemoryError("for a moment");
            }))
        .hasRootCauseInstanceOf(OutOfMemoryError.class);

    assertThat(opened.ask(() -> 7)).isEqualTo(7);
  }

  /** Another one of the same name: sockets are bound to the former. */
  @Test
  void aDeviceThatWasMadeAnewIsNotUsed() {
    TunDevice former = made("wan9");
    DevicePort port =
        router()
            .call(() -> {
              int index = new NetworkDevice("wan9").index();
              return new DevicePort("wan9", index, RawSocket.on("wan9"), TunDevice.make("cap9"));
            });
    assertThat(router().call(() -> port.isUp(0))).isTrue();

    Kernel.close(former.descriptor());
    TunDevice anew = made("wan9");
    assertThat(router().call(port::deviceIsUp)).as("one of that name").isTrue();

    assertThat(router().call(() -> port.isUp(0))).isFalse();
    port.close();
    Kernel.close(anew.descriptor());
  }

  private TunDevice made(String name) {
    return router()
        .call(() -> {
          TunDevice device = TunDevice.make(name);
          IpCommand.run(List.of("link set " + name + " up"));
          return device;
        });
  }

  private static boolean link(ScapHost opened, String device, String state) {
    return opened.ask(() -> {
      IpCommand.run(List.of("link set " + device + " " + state));
      return true;
    });
  }

  private static boolean isUp(ScapHost opened, int pipe) {
    return opened.ask(() -> opened.far().pipes().at(new PipeId(pipe)).up());
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

  /** Hosts behind another scap at lan0 and lan1; what it split is combined and split again. */
  @Test
  void inAChainWhatWasSplitIsPutInOrderAndSplitAgain() {
    CaptureRoutes chain =
        new CaptureRoutes(
            "scap",
            null,
            List.of("10.1.0.0/24"),
            List.of(PipeSpec.parse("lan0,rtt=10ms"), PipeSpec.parse("lan1,rtt=1s")),
            List.of(
                PipeSpec.parse("wan0,rtt=40ms,rate=10kbit"),
                PipeSpec.parse("wan1,rtt=40ms,rate=10kbit")),
            7_700);
    begin(chain, Mode.PAIR);

    sends("lan0", true, SYN, 0, 0);
    assertThat(comes("wan0").syn()).isTrue();
    sends("wan0", false, SYN | ACK, 500, 0);
    assertThat(comes("lan0").acknowledgment()).isEqualTo(1);
    sends("lan1", true, ACK, 1_001, 1_000);
    sends("lan0", true, ACK, 1, 1_000);
    sends("lan0", true, ACK, 2_001, 1_000);

    // The SYN may keep wan0 busy for a moment yet: the first takes the other one then.
    int atWan0 = comes("wan0").sequence();
    assertThat(List.of(atWan0, comes("wan1").sequence())).containsExactlyInAnyOrder(1, 1_001);
    String free = atWan0 == 1 ? "wan0" : "wan1";
    assertThat(comes(free).sequence()).as("what was sent first is through first").isEqualTo(2_001);
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
}
