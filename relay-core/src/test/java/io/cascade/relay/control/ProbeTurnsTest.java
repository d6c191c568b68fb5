package io.cascade.relay.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ProbeTurnsTest {
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore begun = new Semaphore(0);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final ProbeTurns turns = new ProbeTurns(this::probe);

  @AfterEach
  void end() {
    gate.countDown();
    callers.close();
  }

  @Test
  void aCallerHasSoManyAndTheOthersWhatIsLeft() throws Exception {
    List<CompletableFuture<ProbeReport>> first = ask(1, 1, ProbeTurns.MOST_PER_CALLER);
    begun.acquire(ProbeTurns.MOST_PER_CALLER);
    refused(1, "24 probes of 10.0.0.1 are under way");

    int left = ProbeTurns.MOST - ProbeTurns.MOST_PER_CALLER;
    List<CompletableFuture<ProbeReport>> second = ask(2, 1_001, left);
    begun.acquire(left);
    refused(2, "32 probes are under way");

    gate.countDown();
    assertThat(first).allSatisfy(report -> assertThat(report.get().attempts()).isEqualTo(5));
    assertThat(second).allSatisfy(report -> assertThat(report.get().attempts()).isEqualTo(5));
    assertThat(turns.probe(request(1), caller(1)).port()).isEqualTo(1);
  }

  @Test
  void equalProbesAreOneForAllTheirCallers() throws Exception {
    List<CompletableFuture<ProbeReport>> reports = ask(1, 7, 1);
    begun.acquire();
    for (int i = 2; i < 12; i++) {
      reports.addAll(ask(i, 7, 1));
    }
    reports.addAll(ask(1, 8, 1));
    begun.acquire();
    await().until(() -> turns.underWay() == 12);

    gate.countDown();

    for (int i = 0; i < 11; i++) {
      assertThat(reports.get(i).get()).isSameAs(reports.getFirst().get());
    }
    assertThat(reports.getLast().get().port()).isEqualTo(8);
    assertThat(begun.availablePermits()).as("probes beside the two").isZero();
  }

  @Test
  void aProbeThatFailsFailsForAllAndGivesItsTurnBack() {
    gate.countDown();
    ProbeTurns failing =
        new ProbeTurns(request -> {
          throw new UnknownHostException(request.host());
        });
    for (int i = 0; i < 2 * ProbeTurns.MOST; i++) {
      assertThatThrownBy(() -> failing.probe(request(1), caller(1)))
          .isInstanceOf(UnknownHostException.class);
    }
  }

  private void refused(int caller, String why) {
    assertThatThrownBy(() -> turns.probe(request(9_999), caller(caller)))
        .isInstanceOfSatisfying(
            ControlProblem.class, problem -> assertThat(problem.status()).isEqualTo(429))
        .hasMessageStartingWith(why);
  }

  private List<CompletableFuture<ProbeReport>> ask(int caller, int firstPort, int count) {
    List<CompletableFuture<ProbeReport>> reports = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ProbeRequest request = request(firstPort + i);
      CompletableFuture<ProbeReport> report = new CompletableFuture<>();
      callers.execute(() -> {
        try {
          report.complete(turns.probe(request, caller(caller)));
        } catch (Exception e) {
          report.completeExceptionally(e);
        }
      });
      reports.add(report);
    }
    return reports;
  }

  private ProbeReport probe(ProbeRequest request) {
    begun.release();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ProbeReport.builder()
        .host(request.host())
        .port(request.port())
        .attempts(5)
        .connected(0)
        .late(0)
        .build();
  }

  private static ProbeRequest request(int port) {
    return ProbeRequest.builder().host("h").port(port).build();
  }

  private static InetAddress caller(int number) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number});
  }
}
