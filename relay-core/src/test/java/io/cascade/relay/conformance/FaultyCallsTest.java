package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.relay.StreamTotals;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.Hops;
import io.cascade.relay.SpliceNeeded;
import io.cascade.relay.TestChain;
import io.cascade.relay.conformance.Echo.Outcome;
import io.cascade.relay.pump.PumpMode;
import java.io.IOException;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Relays whose system calls fall short and fail at random, by a library put before libc. */
@Timeout(300)
@Tag("slow")
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

  /** Modes that make different calls. */
  static Stream<RelayMode> modes() {
    return Stream.of(
            RelayMode.of(Transport.EPOLL, PumpMode.AUTO, Hops.PLAIN),
            RelayMode.of(Transport.EPOLL, PumpMode.SPLICE, Hops.PLAIN),
            RelayMode.of(Transport.EPOLL, PumpMode.AUTO, Hops.TLS),
            RelayMode.of(Transport.NIO, PumpMode.AUTO, Hops.PLAIN))
        .filter(mode -> mode.transport().available());
  }

  /** Writes that fall short make the small segments with which the kernel itself gets stuck. */
  private static List<Script> scripts() {
    return NamedScripts.all().stream()
        .filter(script -> !script.equals(NamedScripts.ANSWER_BEFORE_THE_END_OF_THE_QUESTION))
        .toList();
  }

  static Stream<RelayMode> modesThatCopy() {
    return modes().filter(mode -> mode.pump() != PumpMode.SPLICE);
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
  @MethodSource("modes")
  void callsThatFallShortChangeNothing(RelayMode mode) throws Exception {
    boolean isNative = mode.transport().isNative();
    // The JDK takes EINTR for an end of input; no kernel answers a call with it that does not wait.
    String faults =
        "short=400,again=200,late=200" + (isNative ? ",intr=100,pipe=300,resize=300" : "");
    try (Pair relays = pair(mode, faults, faults);
        Stage direct = Stage.open();
        Stage stage = Stage.open()) {
      faults(true);
      UUID chain = UUID.randomUUID();
      InetSocketAddress way =
          RelayProcess.chain(chain, relays.all(), stage.address(), mode.options());
      for (Script script : scripts()) {
        Stage.Views wanted = direct.play(script, direct.address());
        // On NIO every relay waits before it passes a reset on.
        if (mode.plays(script) && (isNative || wanted.clean())) {
          assertThat(stage.play(script, way))
              .as(() -> script + "\nrelays: " + relays.failures(chain))
              .isEqualTo(wanted);
        }
      }
      relays.awaitNothingLeft();
      long spliced = relays.splicedBytes(chain);
      switch (mode.pump()) {
        case SPLICE -> assertThat(spliced).isPositive();
        case COPY -> assertThat(spliced).isZero();
        case AUTO -> {} // splices on a machine that is busy, and only there
      }
      relays.stop();
      for (RelayProcess relay : relays.all()) {
        assertThat(faultsMade(relay)).isPositive();
        if (mode.pump() == PumpMode.SPLICE) {
          assertThat(faultsOf("splice", relay)).as(relay.text()).isPositive();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("modes")
  void aCallThatFailsEndsItsStreamAndNoOther(RelayMode mode) throws Exception {
    // The JDK takes ENOTCONN from shutdown for success; no kernel says it of what is connected.
    String faults =
        "nobufs=3,short=100,late=100"
            + (mode.transport().isNative() ? ",shutdown=100,pipe=100,resize=100" : "");
    try (Pair relays = pair(mode, faults + ",socket=100", faults + ",connect=100");
        Echo echo = Echo.open()) {
      faults(false);
      UUID chain = UUID.randomUUID();
      InetSocketAddress way =
          RelayProcess.chain(chain, relays.all(), echo.address(), TestChain.defaults());
      assertThat(Echo.transfer(way, TRANSFER_BYTES)).isEqualTo(Outcome.WHOLE);
      awaitNothingLeft(relays.first);
      long connectionsBefore = relays.connections();

      faults(true);
      Map<Outcome, Integer> outcomes = transfers(way);
      faults(false);
      assertThat(outcomes).containsOnlyKeys(Outcome.WHOLE, Outcome.BROKEN);

      relays.awaitNothingLeft();
      StreamTotals totals = relays.second.control().show(chain, TestChain.PATIENCE).totals();
      assertThat(totals.failed()).isPositive();
      assertThat(totals.failures()).isNotEmpty();
      await()
          .atMost(TestChain.PATIENCE)
          .untilAsserted(
              () -> assertThat(relays.connections()).isLessThanOrEqualTo(connectionsBefore));
      assertThat(transfers(way)).containsOnlyKeys(Outcome.WHOLE);
      relays.stop();
      assertThat(relays.all()).allSatisfy(relay -> assertThat(faultsMade(relay)).isPositive());
      if (mode.transport().isNative()) {
        assertThat(relays.faultsOf("shutdown")).isPositive();
      }
      if (mode.pump() == PumpMode.SPLICE) {
        assertThat(relays.faultsOf("splice")).isPositive();
      }
    }
  }

  /** The header has arrived, and the connection is closed before its stream begins. */
  @ParameterizedTest
  @MethodSource("modesThatCopy")
  void aStreamWhoseAcceptanceCannotBeWrittenIsOver(RelayMode mode) throws Exception {
    try (Pair relays = pair(mode, "", "nobufs=1000");
        Echo echo = Echo.open()) {
      faults(false);
      InetSocketAddress way =
          RelayProcess.chain(UUID.randomUUID(), relays.all(), echo.address(), TestChain.defaults());
      faults(true);
      assertThat(Echo.transfer(way, TRANSFER_BYTES)).isEqualTo(Outcome.BROKEN);
      faults(false);
      relays.awaitNothingLeft();
      assertThat(transfers(way)).containsOnlyKeys(Outcome.WHOLE);
      relays.stop();
      assertThat(faultsMade(relays.second)).isPositive();
    }
  }

  /** The first relay gets no pipe, the second only small ones. */
  @Test
  void streamsAreCopiedWhileNoPipeIsToBeHad() throws Exception {
    SpliceNeeded.check();
    RelayMode mode = RelayMode.of(Transport.EPOLL, PumpMode.SPLICE, Hops.PLAIN);
    try (Pair relays = pair(mode, "pipe=1000", "resize=1000");
        Echo echo = Echo.open()) {
      faults(true);
      UUID chain = UUID.randomUUID();
      InetSocketAddress way =
          RelayProcess.chain(chain, relays.all(), echo.address(), TestChain.defaults());
      assertThat(transfers(way)).containsOnlyKeys(Outcome.WHOLE);
      relays.awaitNothingLeft();
      assertThat(relays.splicedBytes(chain)).isZero();

      faults(false);
      assertThat(transfers(way)).containsOnlyKeys(Outcome.WHOLE);
      relays.awaitNothingLeft();
      assertThat(splicedBytes(relays.first, chain)).isPositive();
      assertThat(splicedBytes(relays.second, chain)).isPositive();
      relays.stop();
      assertThat(faultsOf("pipe", relays.first)).isPositive();
      assertThat(faultsOf("resize", relays.second)).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void connectionsThatCouldNotBeAcceptedAreAcceptedLater(Transport transport) throws Exception {
    RelayMode mode = RelayMode.of(transport, PumpMode.AUTO, Hops.PLAIN);
    try (RelayProcess relay = relay(mode, "accept=1000", "relay");
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
      assertThat(relay.stop()).as(relay.text()).isTrue();
      assertThat(faultsMade(relay)).isPositive();
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

  /** Once it has stopped. */
  private static int faultsMade(RelayProcess relay) {
    await().atMost(TestChain.PATIENCE).until(() -> FAULTS_MADE.matcher(relay.text()).find());
    return number(FAULTS_MADE, relay);
  }

  /** The faults of one call, which must be among those made. */
  private static int faultsOf(String call, RelayProcess relay) {
    faultsMade(relay); // which it says last
    return number(Pattern.compile("faults of " + call + ": (\\d+)"), relay);
  }

  private static int number(Pattern said, RelayProcess relay) {
    Matcher found = said.matcher(relay.text());
    return found.find() ? Integer.parseInt(found.group(1)) : 0;
  }

  private static long splicedBytes(RelayProcess relay, UUID chain) {
    return relay.control().streams(chain, TestChain.PATIENCE).streams().stream()
        .flatMap(stream -> Stream.of(stream.forward(), stream.backward()))
        .mapToLong(direction -> Objects.requireNonNull(direction.splicedBytes()))
        .sum();
  }

  /** Two relays with faults of their own. Starting and stopping take a while: both at a time. */
  private record Pair(RelayProcess first, RelayProcess second) implements AutoCloseable {
    List<RelayProcess> all() {
      return List.of(first, second);
    }

    String failures(UUID chain) {
      return all().stream()
          .map(relay -> relay.control().show(chain, TestChain.PATIENCE).totals().failures())
          .toList()
          .toString();
    }

    void awaitNothingLeft() {
      all().forEach(FaultyCallsTest::awaitNothingLeft);
    }

    long connections() throws IOException {
      return first.connections() + second.connections();
    }

    long splicedBytes(UUID chain) {
      return all().stream().mapToLong(relay -> FaultyCallsTest.splicedBytes(relay, chain)).sum();
    }

    int faultsOf(String call) {
      return all().stream().mapToInt(relay -> FaultyCallsTest.faultsOf(call, relay)).sum();
    }

    /** They end well. */
    void stop() throws Exception {
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Future<Boolean> one = threads.submit(first::stop);
        Future<Boolean> other = threads.submit(second::stop);
        assertThat(one.get()).as(first::text).isTrue();
        assertThat(other.get()).as(second::text).isTrue();
      }
    }

    @Override
    public void close() {
      all().forEach(RelayProcess::close);
    }
  }

  private Pair pair(RelayMode mode, String faultsOfFirst, String faultsOfSecond) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RelayProcess> first = threads.submit(() -> relay(mode, faultsOfFirst, "first"));
      Future<RelayProcess> second = threads.submit(() -> relay(mode, faultsOfSecond, "second"));
      return new Pair(first.get(), second.get());
    }
  }

  private RelayProcess relay(RelayMode mode, String faults, String name) throws Exception {
    return RelayProcess.Start.of(mode)
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
