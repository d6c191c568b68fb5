package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.relay.StreamTotals;
import io.cascade.relay.Hops;
import io.cascade.relay.TestChain;
import io.cascade.relay.conformance.Echo.Outcome;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.transport.Transport;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Relays whose system calls fall short and fail at random, by a library put before libc. */
@Timeout(300)
class FaultyCallsTest {
  private static final Pattern FAULTS_MADE = Pattern.compile("faults made: (\\d+)");
  private static final int TRANSFERS = 60;
  private static final int AT_A_TIME = 8;
  private static final int TRANSFER_BYTES = 100_000;

  @TempDir private static Path folder;

  /** Faults are made while this file exists. */
  private final Path when = folder.resolve("when-" + UUID.randomUUID());

  static Stream<Transport> transports() {
    return Stream.of(Transport.EPOLL, Transport.NIO).filter(Transport::available);
  }

  @BeforeAll
  static void compile() throws Exception {
    boolean compiler =
        Stream.of("/usr/bin/cc", "/usr/local/bin/cc").map(Path::of).anyMatch(Files::isExecutable);
    assumeTrue(
        compiler,
        "SKIPPED, no fault is injected: there is no C compiler (apt install gcc libc6-dev)");
    Path source = folder.resolve("faults.c");
    try (InputStream text = FaultyCallsTest.class.getResourceAsStream("faults.c")) {
      Files.copy(Objects.requireNonNull(text), source);
    }
    Process cc =
        new ProcessBuilder(
                "cc",
                "-O1",
                "-Wall",
                "-Werror",
                "-shared",
                "-fPIC",
                "-o",
                library().toString(),
                source.toString(),
                "-ldl")
            .inheritIO()
            .start();
    assertThat(cc.waitFor()).as("the fault library compiles").isZero();
  }

  @ParameterizedTest
  @MethodSource("transports")
  void callsThatFallShortChangeNothing(Transport transport) throws Exception {
    // The JDK takes EINTR for an end of input; no kernel answers a call with it that does not wait.
    String faults = "short=400,again=200" + (transport.isNative() ? ",intr=100" : "");
    try (RelayProcess first = relay(transport, faults, "first");
        RelayProcess second = relay(transport, faults, "second");
        Stage direct = Stage.open();
        Stage stage = Stage.open()) {
      faults(true);
      RelayMode mode = RelayMode.of(transport, PumpMode.AUTO, Hops.PLAIN);
      UUID chain = UUID.randomUUID();
      InetSocketAddress way =
          RelayProcess.chain(chain, List.of(first, second), stage.address(), mode.options());
      for (Script script : Cases.all()) {
        Stage.Views wanted = direct.play(script, direct.address());
        // On NIO every relay waits before it passes a reset on.
        if (mode.plays(script) && (transport != Transport.NIO || wanted.clean())) {
          assertThat(stage.play(script, way))
              .as(() -> script + "\nrelays: " + failures(first, chain) + failures(second, chain))
              .isEqualTo(wanted);
        }
      }
      awaitNothingLeft(first);
      awaitNothingLeft(second);
      assertEndsWell(first);
      assertEndsWell(second);
    }
  }

  private static String failures(RelayProcess relay, UUID chain) {
    return String.valueOf(relay.control().show(chain, TestChain.PATIENCE).totals().failures());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void aCallThatFailsEndsItsStreamAndNoOther(Transport transport) throws Exception {
    try (RelayProcess first = relay(transport, "nobufs=3,socket=100,short=100", "first");
        RelayProcess second = relay(transport, "nobufs=3,connect=100,short=100", "second");
        Echo echo = Echo.open()) {
      faults(false);
      UUID chain = UUID.randomUUID();
      InetSocketAddress way =
          RelayProcess.chain(chain, List.of(first, second), echo.address(), TestChain.defaults());
      assertThat(Echo.transfer(way, TRANSFER_BYTES)).isEqualTo(Outcome.WHOLE);
      awaitNothingLeft(first);
      long connectionsBefore = first.connections() + second.connections();

      faults(true);
      Map<Outcome, Integer> outcomes = transfers(way);
      faults(false);
      assertThat(outcomes).containsOnlyKeys(Outcome.WHOLE, Outcome.BROKEN);

      awaitNothingLeft(first);
      awaitNothingLeft(second);
      StreamTotals totals = second.control().show(chain, TestChain.PATIENCE).totals();
      assertThat(totals.failed()).isPositive();
      assertThat(totals.failures()).isNotEmpty();
      await()
          .atMost(TestChain.PATIENCE)
          .untilAsserted(() ->
              assertThat(first.connections() + second.connections())
                  .isLessThanOrEqualTo(connectionsBefore));
      assertThat(transfers(way)).containsOnlyKeys(Outcome.WHOLE);
      assertEndsWell(first);
      assertEndsWell(second);
    }
  }

  /** The header has arrived, and the connection is closed before its stream begins. */
  @ParameterizedTest
  @MethodSource("transports")
  void aStreamWhoseAcceptanceCannotBeWrittenIsOver(Transport transport) throws Exception {
    try (RelayProcess first = relay(transport, "", "first");
        RelayProcess second = relay(transport, "nobufs=1000", "second");
        Echo echo = Echo.open()) {
      faults(false);
      InetSocketAddress way =
          RelayProcess.chain(
              UUID.randomUUID(), List.of(first, second), echo.address(), TestChain.defaults());
      faults(true);
      assertThat(Echo.transfer(way, TRANSFER_BYTES)).isEqualTo(Outcome.BROKEN);
      faults(false);
      awaitNothingLeft(first);
      awaitNothingLeft(second);
      assertThat(transfers(way)).containsOnlyKeys(Outcome.WHOLE);
      assertThat(first.stop()).as(first.text()).isTrue();
      assertEndsWell(second);
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void connectionsThatCouldNotBeAcceptedAreAcceptedLater(Transport transport) throws Exception {
    try (RelayProcess relay = relay(transport, "accept=1000", "relay");
        Echo echo = Echo.open()) {
      faults(false);
      InetSocketAddress way =
          RelayProcess.chain(
              UUID.randomUUID(), List.of(relay), echo.address(), TestChain.defaults());
      faults(true);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Outcome>> waiting = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
          waiting.add(threads.submit(() -> Echo.transfer(way, TRANSFER_BYTES)));
        }
        assertThat(relay.control().health(TestChain.PATIENCE).runningStreams()).isZero();
        faults(false);
        for (Future<Outcome> one : waiting) {
          assertThat(one.get()).isEqualTo(Outcome.WHOLE);
        }
      }
      assertEndsWell(relay);
    }
  }

  private static Map<Outcome, Integer> transfers(InetSocketAddress way) throws Exception {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
      List<Future<Outcome>> all = new ArrayList<>();
      for (int i = 0; i < TRANSFERS; i++) {
        all.add(threads.submit(() -> Echo.transfer(way, TRANSFER_BYTES)));
      }
      for (Future<Outcome> one : all) {
        outcomes.merge(one.get(), 1, Integer::sum);
      }
    }
    return outcomes;
  }

  private static void awaitNothingLeft(RelayProcess relay) {
    await()
        .atMost(TestChain.PATIENCE)
        .untilAsserted(() -> {
          var health = relay.control().health(TestChain.PATIENCE);
          assertThat(health.runningStreams()).isZero();
          assertThat(health.heldBytes()).isZero();
        });
  }

  private static void assertEndsWell(RelayProcess relay) throws Exception {
    assertThat(relay.stop()).as(relay.text()).isTrue();
    await().atMost(TestChain.PATIENCE).until(() -> FAULTS_MADE.matcher(relay.text()).find());
    Matcher made = FAULTS_MADE.matcher(relay.text());
    assertThat(made.find() ? Integer.parseInt(made.group(1)) : 0).isPositive();
  }

  private RelayProcess relay(Transport transport, String faults, String name) throws Exception {
    return RelayProcess.Start.of(transport)
        .with(
            Map.of(
                "LD_PRELOAD", library().toString(),
                "FAULTS", faults,
                "FAULTS_WHEN", when.toString()))
        .start(name);
  }

  private static Path library() {
    return folder.resolve("faults.so");
  }

  private void faults(boolean on) throws Exception {
    if (on) {
      Files.writeString(when, "");
    } else {
      Files.deleteIfExists(when);
    }
  }
}
