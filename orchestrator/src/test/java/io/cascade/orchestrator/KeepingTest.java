package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Chains after they were opened: leases, losses, restarts, streams, ends. */
@NullUnmarked
class KeepingTest extends RigTest {
  @Test
  void leasesAreRenewedWithOneCallPerRelay() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain one = open("r1", "r2");
    Chain other = open("r1", "r2");

    for (FakeRelay relay : relays) {
      await()
          .untilAsserted(() ->
              assertThat(relay.renewals)
                  .anySatisfy(renewal -> {
                    assertThat(renewal.leaseSeconds()).isEqualTo(3);
                    assertThat(renewal.chains()).containsExactlyInAnyOrder(one.id(), other.id());
                  }));
    }
  }

  @Test
  void aRestartedRelayGetsItsPartAgainUnderFreshKeysOnBothSides() {
    List<FakeRelay> relays = rig.live("r1", "r2", "r3", "r4");
    Chain chain = open("r1", "r2", "r3", "r4");
    List<ChainPart> before = relays.stream().map(relay -> relay.heldPart(chain.id())).toList();

    relays.get(1).restart();
    await().until(() -> relays.get(1).has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);

    List<ChainPart> after = relays.stream().map(relay -> relay.heldPart(chain.id())).toList();
    assertThat(after.get(1).inlets().getFirst().relay().key())
        .isNotEqualTo(before.get(1).inlets().getFirst().relay().key())
        .isEqualTo(after.get(0).outlets().getFirst().relay().key());
    assertThat(after.get(1).outlets().getFirst().relay().key())
        .isNotEqualTo(before.get(1).outlets().getFirst().relay().key())
        .isEqualTo(after.get(2).inlets().getFirst().relay().key());
    assertThat(after.get(2).outlets().getFirst().relay().key())
        .isEqualTo(before.get(2).outlets().getFirst().relay().key());
    assertThat(relays.get(3).count("PUT")).isEqualTo(1);
    assertThat(after.get(0).inlets()).isEqualTo(before.get(0).inlets());
    assertThat(rig.client().chain(chain.id()).ingress()).isEqualTo(chain.ingress());
    assertThat(told(chain.id()))
        .containsSubsequence(ChainState.READY, ChainState.DEGRADED, ChainState.READY);
    assertThat(rig.events().stream().map(Event::message))
        .anyMatch(message -> message.contains("DEGRADED") && message.contains("r2 restarted"));
  }

  @Test
  void aRestartedIngressOpensTheSamePortAgain() {
    FakeRelay r1 = rig.live("r1");
    rig.live("r2");
    Chain chain = open("r1", "r2");

    r1.restart();
    await().until(() -> r1.has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);

    assertThat(r1.heldPart(chain.id()).inlets().getFirst().ingress().port())
        .isEqualTo(chain.ingress().port());
    assertThat(rig.client().chain(chain.id()).ingress()).isEqualTo(chain.ingress());
  }

  @Test
  void aPartThatARelayNoLongerHasIsPutAgain() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = open("r1", "r2");

    relays.get(1).forget(chain.id());

    await().until(() -> relays.get(1).has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().key())
        .isEqualTo(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().key());
  }

  @Test
  void whatCannotBeRepairedAtOnceIsTriedAgain() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = open("r1");
    r1.refuseParts(409, "urn:cascade:problem:port-taken", "taken for now");
    r1.restart();

    await()
        .untilAsserted(() -> {
          Chain shown = rig.client().chain(chain.id());
          assertThat(shown.state()).isEqualTo(ChainState.DEGRADED);
          assertThat(shown.reason()).contains("r1").contains("taken for now");
        });
    r1.behave();

    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(rig.client().chain(chain.id()).reason()).isNull();
  }

  @Test
  void aLostRelayDegradesItsChainsUntilItIsBack() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain through = open("r1", "r2");
    Chain beside = open("r1");
    r2.stopBeating();

    await().until(() -> rig.state(through.id()) == ChainState.DEGRADED);
    assertThat(rig.client().chain(through.id()).reason()).contains("r2 is lost");
    assertThat(rig.state(beside.id())).isEqualTo(ChainState.READY);

    r2.beat();
    await().until(() -> rig.state(through.id()) == ChainState.READY);
    assertThat(r1.count("PUT")).isEqualTo(2);
    assertThat(r2.count("PUT")).isEqualTo(1);
  }

  @Test
  void aRelayThatWillNotRenewDegradesItsChains() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = open("r1");
    r1.before =
        exchange -> {
          if (exchange.getRequestURI().getPath().endsWith("/leases")) {
            FakeRelay.answer(exchange, 500, "broken");
            return true;
          }
          return false;
        };

    await().until(() -> rig.state(chain.id()) == ChainState.DEGRADED);
    assertThat(rig.client().chain(chain.id()).reason()).contains("did not renew");

    r1.behave();
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
  }

  @Test
  void aRelayThatDoesNotFinishItsAnswerDelaysNoOther() {
    FakeRelay stuck = rig.live("r1");
    FakeRelay other = rig.live("r2");
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    stuck.before =
        exchange -> {
          try {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            asked.countDown();
            end.await();
          } catch (IOException e) {
            // The orchestrator has given it up.
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return true;
        };
    try {
      rig.client().open(Rig.request(List.of("r2"), null, 3, null), null);
      CompletableFuture<Statistics> statistics =
          CompletableFuture.supplyAsync(() -> rig.client().statistics());
      asked.await();
      int before = other.renewals.size();
      await().until(() -> other.renewals.size() >= before + 2);
      assertThat(statistics.join().chains()).hasSize(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end.countDown();
    }
  }

  @Test
  void closingIsIdempotent() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = open("r1");

    assertThat(rig.client().close(chain.id(), false).state()).isEqualTo(ChainState.CLOSED);
    assertThat(rig.client().close(chain.id(), true).state()).isEqualTo(ChainState.CLOSED);
    // A look at the relay meanwhile may have removed the part once more, also without abort.
    assertThat(r1.calls)
        .filteredOn(call -> call.method().equals("DELETE"))
        .isNotEmpty()
        .noneMatch(call -> call.path().contains("abort=true"));
  }

  @Test
  void runningStreamsAreResetWhereAskedTo() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = open("r1");

    rig.client().close(chain.id(), true);

    assertThat(r1.calls)
        .anyMatch(call -> call.method().equals("DELETE") && call.path().contains("abort=true"));
  }

  @Test
  void closingSaysWhichRelayDidNotAnswer() {
    rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = open("r1", "r2");
    r2.die();

    Chain closed = rig.client().close(chain.id(), false);

    assertThat(closed.state()).isEqualTo(ChainState.CLOSED);
    assertThat(closed.reason()).contains("r2 did not answer", "removed at the next contact");
  }

  @Test
  void aClosedChainIsLeftAlone() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = open("r1");
    rig.client().close(chain.id(), false);

    r1.restart();
    Chain next = open("r1");

    await().until(() -> r1.renewals.stream().anyMatch(one -> one.chains().contains(next.id())));
    assertThat(r1.has(chain.id())).isFalse();
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.CLOSED);
  }

  @Test
  void chainsAreListedNewestFirstByStateAndUpToALimit() {
    rig.live("r1");
    Chain first = open("r1");
    Chain second = open("r1");
    Chain third = open("r1");
    rig.client().close(second.id(), false);

    assertThat(ids("/api/v1/chains")).containsExactly(third.id(), second.id(), first.id());
    assertThat(ids("/api/v1/chains?limit=2")).containsExactly(third.id(), second.id());
    assertThat(ids("/api/v1/chains?state=READY")).containsExactly(third.id(), first.id());
  }

  @Test
  void totalsComeFromTheRelaysThatAnswer() {
    rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = open("r1", "r2");

    assertThat(rig.client().chain(chain.id()).totals())
        .extracting(RelayTotals::relay)
        .containsExactly("r1", "r2");
    r2.die();
    RelayTotals left = rig.client().chain(chain.id()).totals().getFirst();
    assertThat(left.relay()).isEqualTo("r1");
    assertThat(left.forwardBytes()).isEqualTo(1_000);
    assertThat(left.failures()).containsEntry("peer-reset", 1L);
  }

  @Test
  void aStreamIsToldAsItsRelaysSawIt() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = open("r1", "r2");
    UUID whole = UUID.randomUUID();
    UUID broken = UUID.randomUUID();
    r1.streams =
        List.of(
            report(whole, StreamState.COMPLETED, 0, "completed", "198.51.100.9:5000"),
            report(broken, StreamState.FAILED, 10, "peer-reset", "198.51.100.9:5001"));
    r2.streams =
        List.of(
            report(whole, StreamState.COMPLETED, 1, "completed", null),
            report(broken, StreamState.FAILED, 11, "connect-refused", null));

    ChainStreams streams = rig.client().streams(chain.id());

    assertThat(streams.unreachable()).isNull();
    assertThat(streams.streams()).extracting(ChainStream::streamId).containsExactly(broken, whole);
    ChainStream failed = streams.streams().getFirst();
    assertThat(failed.state()).isEqualTo("FAILED");
    assertThat(failed.reason()).isEqualTo("connect-refused");
    assertThat(failed.client()).isEqualTo("198.51.100.9:5001");
    assertThat(failed.relays()).extracting(StreamAtRelay::relay).containsExactly("r1", "r2");
    assertThat(streams.streams().get(1).state()).isEqualTo("COMPLETED");
    assertThat(streams.streams().get(1).relays().getFirst().peakHeldBytes()).isEqualTo(14);

    r2.die();
    assertThat(rig.client().streams(chain.id()).unreachable()).containsExactly("r2");
  }

  @Test
  void anUnknownChainIsNotFound() {
    UUID nobody = UUID.randomUUID();
    RelaysTest.problem(() -> rig.client().chain(nobody), 404, "unknown-chain", nobody.toString());
    RelaysTest.problem(() -> rig.client().close(nobody, false), 404, "unknown-chain", "");
    RelaysTest.problem(() -> rig.client().streams(nobody), 404, "unknown-chain", "");
  }

  private Chain open(String... via) {
    ChainRequest request = Rig.request(List.of(via), null, 3, null);
    return rig.client().open(request, null);
  }

  private List<UUID> ids(String path) {
    return io.cascade.api.Json.strict()
        .readValue(rig.call("GET", path, null).body(), io.cascade.api.orchestrator.ChainList.class)
        .chains()
        .stream()
        .map(Chain::id)
        .toList();
  }

  private List<ChainState> told(UUID chain) {
    return rig.events().stream()
        .filter(event -> chain.equals(event.chainId()))
        .map(Event::state)
        .toList();
  }

  private static StreamReport report(
      UUID id, StreamState state, int second, String reason, String client) {
    DirectionReport direction =
        DirectionReport.builder()
            .bytesIn(10L)
            .bytesOut(10L)
            .heldBytes(0L)
            .peakHeldBytes(7L)
            .finished(true)
            .splicedBytes(0L)
            .build();
    return StreamReport.builder()
        .streamId(id)
        .state(state)
        .openedAt(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(second))
        .durationMillis(12.5)
        .firstByteMillis(1.5)
        .client(client)
        .onward("next")
        .warm(true)
        .forward(direction)
        .backward(direction)
        .reason(reason)
        .build();
  }
}
