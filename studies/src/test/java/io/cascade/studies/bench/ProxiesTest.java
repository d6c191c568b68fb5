package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.studies.bench.BenchContender.Running;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that are installed forward bytes unchanged, and are gone afterwards. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("slow")
class ProxiesTest {
  /** What only a Java process can be asked for. */
  private static final Set<Metric> OF_JAVA =
      Set.of(Metric.GARBAGE, Metric.LONGEST_PAUSE, Metric.HEAP_PER_STREAM);

  @TempDir Path folder;

  static Stream<BenchContender> peers() {
    return Stream.of(
        new HaProxy(HaProxy.Way.DEFAULT),
        new HaProxy(HaProxy.Way.LARGE),
        new HaProxy(HaProxy.Way.SPLICE),
        new HaProxy(HaProxy.Way.LARGE, 2),
        new NginxStream(),
        new Socat(),
        new NativeLoop(false),
        new NativeLoop(true),
        new HaProxyTls(false),
        new HaProxyTls(true),
        new SerialContenders(new NativeLoop(true), 3));
  }

  @ParameterizedTest
  @MethodSource("peers")
  void carriesEveryTrialAndLeavesNoProcess(BenchContender peer) throws Exception {
    peer.missing().ifPresent(why -> System.err.println("NOT TESTED: " + why));
    assumeTrue(peer.missing().isEmpty(), () -> peer.missing().orElse(""));
    List<Process> processes;
    try (ProxyProcesses proxies = new ProxyProcesses(folder, new Processors(List.of(), List.of()));
        Destination destination = Destination.open()) {
      Running running = peer.start(proxies, destination.port());
      processes = running.processes();

      DigestCheck.pass(running.port(), 8 << 20, 3);
      for (Trial trial :
          List.of(
              new Trial.Bulk(1),
              new Trial.Bulk(4),
              new Trial.Latency(),
              new Trial.LatencyBesideBulk(),
              new Trial.Connections(),
              new Trial.Start(true),
              new Trial.Idle(50))) {
        Map<Metric, Double> values = trial.run(running, destination, 0.1);

        assertThat(values)
            .as(trial.title())
            .containsOnlyKeys(
                trial.metrics().stream().filter(metric -> !OF_JAVA.contains(metric)).toList());
      }
    }

    assertThat(processes).isNotEmpty();
    // They have ended; the thread that reaps them tells it a moment later.
    await().untilAsserted(() -> assertThat(processes).noneMatch(Process::isAlive));
  }

  @Test
  void processorsAreListedAsTheKernelListsThem() {
    assertThat(Processors.parse("0-2,5,7-8")).containsExactly(0, 1, 2, 5, 7, 8);
    assertThat(Processors.parse("")).isEmpty();
  }
}
