package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Splitter;
import io.cascade.api.orchestrator.SplitterOperations;
import io.cascade.api.orchestrator.SplitterPipe;
import io.cascade.api.orchestrator.SplitterPolicy;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.api.orchestrator.SplitterSide;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Splitter/combiners report, and operators see what they said last. */
@NullUnmarked
class SplittersTest {
  private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    // No splitter is lost while a test looks at it, however busy the machine is.
    rig = Rig.start(state, settings -> settings.withHeartbeat(Duration.ofMinutes(1)));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private static SplitterReport unsigned(String mode, double share) {
    return SplitterReport.builder()
        .instance(UUID.randomUUID())
        .version("1")
        .publicKey("")
        .sequence(0L)
        .signature("")
        .upSeconds(1.0)
        .policy(
            SplitterPolicy.builder()
                .mode(mode)
                .signalling("none")
                .selection("all")
                .splitAfterBytes(65_536L)
                .build())
        .connections(3L)
        .refusedConnections(0L)
        .operations(
            SplitterOperations.builder().deliver(7L).duplicate(0L).delay(5L).drop(2L).build())
        .pipes(
            List.of(
                SplitterPipe.builder()
                    .side(SplitterSide.FAR)
                    .device("wan0")
                    .peer("192.0.2.7:7710")
                    .up(true)
                    .employed(true)
                    .share(share)
                    .roundTripMillis(40.0)
                    .bitsPerSecond(6_000_000L)
                    .lossRate(0.01)
                    .sentBytes(1_000L)
                    .receivedBytes(2_000L)
                    .build()))
        .build();
  }

  @Test
  void theLastReportIsListed() {
    assertThat(rig.client().splitters().splitters()).isEmpty();

    double next =
        rig.client()
            .report("edge", signer.sign("edge", unsigned("def-plus", 0.25)))
            .reportSeconds();
    rig.client().report("edge", signer.sign("edge", unsigned("pair", 0.75)));
    rig.client().report("core", signer.sign("core", unsigned("def", 1)));

    assertThat(next).isEqualTo(60);
    List<Splitter> splitters = rig.client().splitters().splitters();
    assertThat(splitters).extracting(Splitter::name).containsExactly("core", "edge");
    Splitter edge = splitters.getLast();
    assertThat(edge.lost()).isFalse();
    assertThat(edge.report().policy().mode()).isEqualTo("pair");
    assertThat(edge.report().pipes().getFirst().share()).isEqualTo(0.75);
    assertThat(edge.report().operations().delay()).isEqualTo(5);
  }

  @Test
  void aNameBelongsToTheKeyThatReportedFirst() {
    SplitterReport signed = signer.sign("edge", unsigned("def", 1));
    rig.client().report("edge", signed);
    RelaySigner other = new RelaySigner(RelayKey.generate(), 1, 100);

    problem(
        () -> rig.client().report("edge", other.sign("edge", unsigned("def", 1))),
        403,
        "the name belongs to");
    problem(() -> rig.client().report("edge", signed), 409, "expected: a later one");
    problem(() -> rig.client().report("core", signed), 403, "not signed");
  }

  @Test
  void whatTheContractDoesNotAllowIsRefused() {
    problem(
        () -> rig.client().report("edge", signer.sign("edge", unsigned("def", 1.5))), 400, "share");
  }

  @Test
  void oneThatFallsSilentIsLost() {
    rig.stop();
    rig.startAgain(settings -> settings.withHeartbeat(Rig.HEARTBEAT));
    rig.client().report("edge", signer.sign("edge", unsigned("def", 1)));

    await().until(() -> rig.client().splitters().splitters().getFirst().lost());
    assertThat(rig.call("GET", "/api/v1/metrics", null).body())
        .contains(
            "cascade_orchestrator_splitters{state=\"lost\"} 1.0",
            "cascade_orchestrator_gateways{state=\"lost\"} 0.0",
            "cascade_orchestrator_tunnels{state=\"down\"} 0.0");
  }

  private static void problem(Runnable call, int status, String words) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(status))
        .hasMessageContaining(words);
  }
}
