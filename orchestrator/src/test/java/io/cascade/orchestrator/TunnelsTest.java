package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayInstructions;
import io.cascade.api.orchestrator.GatewayLink;
import io.cascade.api.orchestrator.GatewayLinkOrder;
import io.cascade.api.orchestrator.GatewayLinkState;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Tunnel;
import io.cascade.api.orchestrator.TunnelRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways report and learn which links they are to have. */
@NullUnmarked
class TunnelsTest {
  private static final Endpoint PUBLIC = new Endpoint("203.0.113.2", 7_800);

  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    // No gateway is lost while a test looks at it, however busy the machine is.
    rig = Rig.start(state, settings -> settings.withHeartbeat(Duration.ofMinutes(1)));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  /** A gateway as the orchestrator sees it. */
  private final class FakeGateway {
    private final String name;
    private final @Nullable Endpoint listen;
    private final RelaySigner signer;
    private final UUID instance = UUID.randomUUID();

    FakeGateway(String name, @Nullable Endpoint listen) {
      this(name, listen, new RelaySigner(RelayKey.generate(), 1, 0));
    }

    FakeGateway(String name, @Nullable Endpoint listen, RelaySigner signer) {
      this.name = name;
      this.listen = listen;
      this.signer = signer;
    }

    GatewayInstructions report(String... upTo) {
      return rig.client().report(name, signer.sign(name, unsigned(upTo)));
    }

    GatewayReport unsigned(String... upTo) {
      List<GatewayLink> links =
          Arrays.stream(upTo)
              .map(peer ->
                  GatewayLink.builder()
                      .peer(peer)
                      .state(GatewayLinkState.UP)
                      .sessions(1L)
                      .mtu(1_400)
                      .sojournMillis(0.5)
                      .droppedPackets(0L)
                      .markedPackets(0L)
                      .build())
              .toList();
      return GatewayReport.builder()
          .instance(instance)
          .version("1")
          .publicKey("")
          .sequence(0L)
          .signature("")
          .listen(listen)
          .tun(true)
          .mtu(1_400)
          .upSeconds(1.0)
          .forwardedPackets(0L)
          .drops(List.of())
          .links(links)
          .build();
    }

    GatewayLinkOrder only(GatewayInstructions instructions) {
      assertThat(instructions.links()).hasSize(1);
      return instructions.links().getFirst();
    }
  }

  private static TunnelRequest request(String... gateways) {
    return TunnelRequest.builder()
        .gateways(List.of(gateways))
        .fromPrefixes(List.of("10.1.0.0/16"))
        .toPrefixes(List.of("10.2.0.9/16"))
        .build();
  }

  @Test
  void neighboursGetTheSameKeyAndTheRoutesOfTheOtherSide() {
    FakeGateway near = new FakeGateway("gw1", null);
    FakeGateway far = new FakeGateway("gw2", PUBLIC);
    assertThat(near.report().links()).isEmpty();
    far.report();

    Tunnel tunnel = rig.client().openTunnel(request("gw1", "gw2"));
    assertThat(tunnel.up()).isFalse();
    assertThat(tunnel.toPrefixes()).containsExactly("10.2.0.0/16");
    GatewayLinkOrder dials = near.only(near.report("gw2"));
    GatewayLinkOrder accepts = far.only(far.report("gw1"));

    assertThat(dials.peer()).isEqualTo("gw2");
    assertThat(dials.dial()).isEqualTo(PUBLIC);
    assertThat(dials.prefixes()).containsExactly("10.2.0.0/16");
    assertThat(accepts.dial()).isNull();
    assertThat(accepts.prefixes()).containsExactly("10.1.0.0/16");
    assertThat(accepts.key()).isEqualTo(dials.key()).hasSize(64);
    assertThat(rig.client().tunnel(tunnel.tunnelId()).up()).isTrue();
  }

  @Test
  void oneBetweenOthersHasALinkToEither() {
    FakeGateway near = new FakeGateway("gw1", null);
    FakeGateway middle = new FakeGateway("mid", PUBLIC);
    FakeGateway far = new FakeGateway("gw2", null);
    near.report();
    middle.report();
    far.report();
    rig.client().openTunnel(request("gw1", "mid", "gw2"));

    List<GatewayLinkOrder> links = middle.report().links();
    assertThat(links).extracting(GatewayLinkOrder::peer).containsExactly("gw1", "gw2");
    assertThat(links).extracting(GatewayLinkOrder::key).doesNotHaveDuplicates();
    assertThat(far.only(far.report()).dial()).isEqualTo(PUBLIC);
    assertThat(rig.client().tunnels().tunnels().getFirst().words())
        .isEqualTo("gw1 has no session with mid");
  }

  @Test
  void tunnelsOutliveTheOrchestratorAndACloseTakesTheLinksAway() {
    FakeGateway near = new FakeGateway("gw1", null);
    FakeGateway far = new FakeGateway("gw2", PUBLIC);
    near.report();
    far.report();
    Tunnel tunnel = rig.client().openTunnel(request("gw1", "gw2"));
    String key = near.only(near.report()).key();

    rig.stop();
    rig.startAgain();
    assertThat(near.only(near.report()).key()).isEqualTo(key);
    assertThat(rig.client().tunnel(tunnel.tunnelId()).words())
        .isEqualTo("gw1 has no session with gw2");

    rig.client().closeTunnel(tunnel.tunnelId());
    assertThat(near.report().links()).isEmpty();
    problem(() -> rig.client().tunnel(tunnel.tunnelId()), 404, "no such tunnel");
  }

  @Test
  void aNameBelongsToTheKeyThatReportedFirst() {
    FakeGateway own = new FakeGateway("gw1", null);
    own.report();
    FakeGateway other = new FakeGateway("gw1", PUBLIC);

    problem(other::report, 403, "the name belongs to");
    GatewayReport signed = own.signer.sign("gw1", own.unsigned());
    rig.client().report("gw1", signed);
    problem(() -> rig.client().report("gw1", signed), 409, "expected: a later one");
    problem(() -> rig.client().report("gw9", signed), 403, "not signed");

    rig.client().forgetGateway("gw1");
    other.report();
  }

  /** As of a backup from before its later starts. */
  @Test
  void aGatewayWithAnOlderCopyOfItsIdentityIsTakenOnceItsNameIsReleased() {
    RelayKey key = RelayKey.generate();
    new FakeGateway("gw1", null, new RelaySigner(key, 5, 5L << 32)).report();
    FakeGateway restored = new FakeGateway("gw1", null, new RelaySigner(key, 3, 3L << 32));

    problem(restored::report, 409, "release the name: DELETE /api/v1/gateways/gw1");

    rig.client().forgetGateway("gw1");
    restored.report();
  }

  @Test
  void whatCannotBeCarriedIsRefusedInWords() {
    FakeGateway near = new FakeGateway("gw1", null);
    FakeGateway deaf = new FakeGateway("gw2", null);
    FakeGateway far = new FakeGateway("gw3", PUBLIC);
    near.report();
    deaf.report();
    far.report();

    problem(() -> rig.client().openTunnel(request("gw1", "gw9")), 404, "no such gateway");
    problem(
        () -> rig.client().openTunnel(request("gw1", "gw2")), 422, "neither gw1 nor gw2 listens");
    problem(() -> rig.client().openTunnel(request("gw1", "gw1")), 422, "named twice");
    TunnelRequest bad =
        TunnelRequest.builder()
            .gateways(List.of("gw1", "gw3"))
            .fromPrefixes(List.of("10.1.0.0/40"))
            .toPrefixes(List.of("::/0"))
            .build();
    problem(() -> rig.client().openTunnel(bad), 422, "10.1.0.0/40");

    rig.client().openTunnel(request("gw1", "gw3"));
    FakeGateway another = new FakeGateway("gw4", PUBLIC);
    another.report();
    problem(() -> rig.client().openTunnel(request("gw1", "gw4")), 409, "is routed to gw3 at gw1");
    problem(() -> rig.client().forgetGateway("gw1"), 409, "used by tunnel");
  }

  @Test
  void aGatewayThatFallsSilentIsLost() {
    FakeGateway gateway = new FakeGateway("gw1", null);
    gateway.report();
    assertThat(rig.client().gateway("gw1").lost()).isFalse();

    rig.stop();
    rig.startAgain(settings -> settings.withHeartbeat(Rig.HEARTBEAT));
    gateway.report();
    await().until(() -> rig.client().gateway("gw1").lost());
  }

  private static void problem(Runnable call, int status, String words) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(status))
        .hasMessageContaining(words);
  }
}
