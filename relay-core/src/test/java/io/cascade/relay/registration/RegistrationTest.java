package io.cascade.relay.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelayProof;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.probe.LinkReport;
import io.cascade.testing.PreviousVersion;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init")
@Timeout(60)
class RegistrationTest {
  private final FakeRelay relay = new FakeRelay();
  private FakeOrchestrator orchestrator;
  private Registration registration;

  @BeforeEach
  void open() throws IOException {
    orchestrator = new FakeOrchestrator();
    registration = registration(orchestrator.address());
  }

  @AfterEach
  void close() {
    registration.close();
    orchestrator.close();
  }

  @Test
  void registersAndHeartbeatsAtTheInstructedInterval() {
    registration.start();
    await().until(() -> orchestrator.heartbeats.size() >= 3);
    assertThat(orchestrator.registrations)
        .singleElement()
        .usingRecursiveComparison()
        .ignoringFields("publicKey", "generation", "sequence", "signature")
        .isEqualTo(relay.registration());
    Heartbeat heartbeat = orchestrator.heartbeats.getFirst();
    assertThat(heartbeat.instance()).isEqualTo(FakeRelay.INSTANCE);
    assertThat(heartbeat.draining()).isFalse();
    assertThat(heartbeat.runningStreams()).isEqualTo(3);
    assertThat(heartbeat.heldBytes()).isEqualTo(4_096);
    assertThat(registration.isRegistered()).isTrue();
  }

  @Test
  void passesOnWhomToMeasure() {
    registration.start();
    await().until(() -> relay.peers.contains(new RelayPeer("b", "192.0.2.1", 7411)));
  }

  @Test
  void deliversEveryMeasurementOnce() {
    registration.start();
    for (int probes = 1; probes <= 5; probes++) {
      relay.measure(1);
      int wanted = probes;
      await().until(() -> delivered() == wanted);
    }
    assertThat(relay.undelivered()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503, 429, 401})
  void keepsMeasurementsForTheNextHeartbeatThatIsAnswered(int status) {
    orchestrator.heartbeatStatus = status;
    relay.measure(7);
    registration.start();
    await().until(() -> orchestrator.heartbeats.size() >= 2);
    assertThat(relay.undelivered()).isEqualTo(7);
    int failed = orchestrator.heartbeats.size();
    orchestrator.heartbeatStatus = 200;
    await().until(() -> relay.undelivered() == 0);
    assertThat(sent(orchestrator.heartbeats.subList(failed - 1, orchestrator.heartbeats.size())))
        .isGreaterThanOrEqualTo(7);
  }

  @Test
  void tellsWhereDirectStreamsWentAgainWhereNobodyAnswered() {
    orchestrator.heartbeatStatus = 503;
    relay.destinations.began("db:5432");
    registration.start();
    await().until(() -> orchestrator.heartbeats.size() >= 2);
    orchestrator.heartbeatStatus = 200;
    int answered = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() >= answered + 3);
    assertThat(orchestrator.heartbeats.subList(0, 2).stream().map(beat -> beat.destinations()))
        .containsOnly(List.of(new DestinationUse("db:5432", 1L, 0L, null)));
    assertThat(relay.destinations.take()).isEmpty();
  }

  @Test
  void dropsMeasurementsThatTheOrchestratorWillNotHave() {
    orchestrator.heartbeatStatus = 400;
    relay.measure(7);
    registration.start();
    await().until(() -> relay.undelivered() == 0);
    orchestrator.heartbeatStatus = 200;
    relay.measure(1);
    await().until(() -> orchestrator.heartbeats.stream().anyMatch(beat -> sent(beat) == 1));
  }

  @Test
  void registersAgainWithAnOrchestratorThatForgotIt() {
    registration.start();
    await().until(() -> !orchestrator.heartbeats.isEmpty());
    orchestrator.heartbeatStatus = 404;
    await().until(() -> orchestrator.registrations.size() >= 2);
    orchestrator.heartbeatStatus = 200;
    int before = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() > before + 2);
    assertThat(registration.isRegistered()).isTrue();
  }

  @Test
  void keepsTryingUntilTheOrchestratorComesUp() throws IOException {
    int port = orchestrator.port();
    URI address = orchestrator.address();
    orchestrator.close();
    registration = registration(address);
    registration.start();
    await().during(Duration.ofMillis(300)).until(() -> !registration.isRegistered());
    orchestrator = new FakeOrchestrator(port);
    await().until(() -> !orchestrator.heartbeats.isEmpty());
    assertThat(relay.replaced).isNull();
  }

  @Test
  void isNotRegisteredWhileTheOrchestratorIsAway() {
    registration.start();
    await().until(registration::isRegistered);
    orchestrator.heartbeatStatus = 503;
    await().until(() -> !registration.isRegistered());
    orchestrator.heartbeatStatus = 200;
    await().until(registration::isRegistered);
    assertThat(orchestrator.registrations).hasSize(1);
  }

  /** A heartbeat is signed, which is the work of looking for an orchestrator that is away. */
  @Test
  void makesNoHeartbeatsWhileNothingListens() throws IOException {
    registration.start();
    await().until(registration::isRegistered);
    int port = orchestrator.port();
    List<Heartbeat> before = orchestrator.heartbeats;
    orchestrator.close();
    await().until(() -> !registration.isRegistered());
    await().during(Duration.ofMillis(1_500)).until(() -> !registration.isRegistered());
    orchestrator = new FakeOrchestrator(port);
    await().until(() -> orchestrator.heartbeats.size() >= 2);
    orchestrator.heartbeatStatus = FakeOrchestrator.SILENT;
    int heard = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() > heard);

    assertThat(relay.heartbeats.get() - before.size() - orchestrator.heartbeats.size())
        .as("made, and received by nobody: the one that found it away")
        .isLessThanOrEqualTo(1);
  }

  @Test
  void outlivesARestartOfTheOrchestrator() throws IOException {
    registration.start();
    await().until(() -> !orchestrator.heartbeats.isEmpty());
    int port = orchestrator.port();
    orchestrator.close();
    relay.measure(5);
    orchestrator = new FakeOrchestrator(port);
    orchestrator.heartbeatStatus = 404; // the new one has forgotten
    await().until(() -> !orchestrator.registrations.isEmpty());
    orchestrator.heartbeatStatus = 200;
    await().until(() -> delivered() >= 5);
  }

  @Test
  void signsWhatItSaysAndNumbersIt() {
    registration.start();
    await().until(() -> orchestrator.heartbeats.size() >= 2);

    RelayRegistration said = orchestrator.registrations.getFirst();
    assertThat(RelayProof.holds(said)).isTrue();
    assertThat(said.generation()).isEqualTo(5);
    assertThat(said.sequence()).isEqualTo(1);
    assertThat(orchestrator.heartbeats.get(0).sequence()).isEqualTo(2);
    assertThat(orchestrator.heartbeats.get(1).sequence()).isEqualTo(3);
    assertThat(RelayProof.holds(said.publicKey(), "r1", orchestrator.heartbeats.get(1))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"relay-superseded", "stale-message", "test"})
  void noAnswerToAHeartbeatEndsIt(String problem) {
    orchestrator.problem = problem;
    orchestrator.heartbeatStatus = 409;
    registration.start();
    await().until(() -> orchestrator.heartbeats.size() >= 3);
    assertThat(relay.replaced).isNull();
    orchestrator.heartbeatStatus = 200;
    int before = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() >= before + 2);
    assertThat(registration.isRegistered()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"403, relay-unproven", "409, relay-doubled", "409, stale-message"})
  void goesOnTryingWhereItIsRefused(int status, String problem) {
    orchestrator.problem = problem;
    orchestrator.registerStatus = status;
    registration.start();
    await().until(() -> orchestrator.registrations.size() >= 2);
    assertThat(relay.replaced).isNull();
    orchestrator.registerStatus = 200;
    await().until(registration::isRegistered);
  }

  @Test
  void noAnswerEndsItOnceItWasRegistered() {
    registration.start();
    await().until(() -> !orchestrator.heartbeats.isEmpty());
    orchestrator.problem = "relay-superseded";
    orchestrator.registerStatus = 409;
    orchestrator.heartbeatStatus = 404;
    await().until(() -> orchestrator.registrations.size() >= 4);
    assertThat(relay.replaced).isNull();
    assertThat(registration.isRegistered()).isFalse();
    orchestrator.registerStatus = 200;
    orchestrator.heartbeatStatus = 200;
    await().until(registration::isRegistered);
  }

  @Test
  void noAnswerEndsItWhereItTookThePlaceOfAProcessThatServed() {
    registration = registration(orchestrator.address(), true);
    orchestrator.problem = "relay-superseded";
    orchestrator.registerStatus = 409;
    registration.start();
    await().until(() -> orchestrator.registrations.size() >= 3);
    assertThat(relay.replaced).isNull();
  }

  @Test
  void goesOnAfterErrorsOfTheRelay() {
    registration.start();
    await().until(() -> !orchestrator.heartbeats.isEmpty());
    relay.failure = new OutOfMemoryError("for a moment");
    await().until(() -> relay.failures.get() >= 2);
    relay.failure = null;
    int before = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() > before);
  }

  @Test
  void stopsWhenALaterStartIsRegisteredAlready() {
    orchestrator.problem = "relay-superseded";
    orchestrator.registerStatus = 409;
    registration.start();
    await().until(() -> relay.replaced != null);
    assertThat(orchestrator.heartbeats).isEmpty();
  }

  @Test
  void mayBeClosedByTheRelayThatWasReplaced() {
    relay.closeWhenReplaced = registration;
    orchestrator.problem = "relay-superseded";
    orchestrator.registerStatus = 409;
    registration.start();
    await().until(() -> relay.closed);
  }

  @Test
  void saysAtOnceThatItDrainsAndGoesOnSayingSo() {
    orchestrator.instructions = new RelayInstructions(60.0, List.of(), null, null);
    registration.start();
    await().until(registration::isRegistered);
    registration.draining();
    await().until(() -> !orchestrator.heartbeats.isEmpty());
    assertThat(orchestrator.heartbeats.getFirst().draining()).isTrue();
  }

  @Test
  void probesAsSeldomAsItIsTold() {
    orchestrator.instructions = new RelayInstructions(0.05, List.of(), 2.0, null);
    registration.start();
    await().until(() -> Duration.ofSeconds(2).equals(relay.leastBetween));
    orchestrator.instructions = new RelayInstructions(0.05, List.of(), null, null);
    await().until(() -> Duration.ZERO.equals(relay.leastBetween));
  }

  @Test
  void namesTheVersionOfItsPeersAndKeepsThemWhereTheyAreNotNamedAgain() {
    List<RelayPeer> peers = List.of(new RelayPeer("b", "192.0.2.1", 7411));
    orchestrator.instructions = new RelayInstructions(0.05, peers, null, "v1");
    registration.start();
    await().until(() -> lastVersion().equals("v1"));
    orchestrator.instructions = new RelayInstructions(0.05, null, 2.0, "v1");
    await().until(() -> Duration.ofSeconds(2).equals(relay.leastBetween));
    assertThat(relay.peers).isEqualTo(peers);
    assertThat(lastVersion()).isEqualTo("v1");
  }

  @Test
  void namesNoVersionToAnOrchestratorOfTheVersionBefore() {
    orchestrator.instructions = new RelayInstructions(0.05, List.of(), null, "v1");
    registration.start();
    await().until(() -> lastVersion().equals("v1"));
    orchestrator.instructions =
        Json.lenient()
            .readValue(PreviousVersion.document("instructions.json"), RelayInstructions.class);
    await().until(() -> lastVersion().equals("none"));
  }

  @Test
  void namesNoVersionAfterAHeartbeatThatWasRefused() {
    orchestrator.instructions = new RelayInstructions(0.05, List.of(), null, "v1");
    registration.start();
    await().until(() -> lastVersion().equals("v1"));
    orchestrator.heartbeatStatus = 400;
    await().until(() -> lastVersion().equals("none"));
  }

  @Test
  void namesItsVersionToAnOrchestratorThatWasAway() {
    orchestrator.instructions = new RelayInstructions(0.05, List.of(), null, "v1");
    registration.start();
    await().until(() -> lastVersion().equals("v1"));
    orchestrator.heartbeatStatus = 503;
    int before = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() >= before + 3);
    assertThat(lastVersion()).isEqualTo("v1");
  }

  private String lastVersion() {
    return orchestrator.heartbeats.isEmpty()
        ? ""
        : Objects.requireNonNullElse(orchestrator.heartbeats.getLast().peersVersion(), "none");
  }

  @Test
  void saysGoodbyeWhenItIsClosed() {
    orchestrator.instructions = new RelayInstructions(60.0, List.of(), null, null);
    registration.start();
    await().until(registration::isRegistered);
    registration.close();
    assertThat(orchestrator.heartbeats).hasSize(1);
    assertThat(orchestrator.heartbeats.getFirst().draining()).isTrue();
    assertThat(orchestrator.heartbeats.getFirst().stopping()).isTrue();
  }

  @Test
  void leavesWithoutAWordWhereAnotherProcessGoesOn() {
    orchestrator.instructions = new RelayInstructions(60.0, List.of(), null, null);
    registration.start();
    await().until(registration::isRegistered);
    registration.leave();
    assertThat(orchestrator.heartbeats).isEmpty();
  }

  @Test
  void saysGoodbyeAfterItDrained() {
    orchestrator.instructions = new RelayInstructions(60.0, List.of(), null, null);
    registration.start();
    await().until(registration::isRegistered);
    relay.measure(1);
    registration.draining();
    await().until(() -> delivered() == 1);
    registration.close();
    assertThat(orchestrator.heartbeats).extracting(Heartbeat::stopping).containsExactly(null, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsAlthoughTheOrchestratorIsSilent(boolean registered) {
    if (registered) {
      orchestrator.heartbeatStatus = FakeOrchestrator.SILENT;
    } else {
      orchestrator.registerStatus = FakeOrchestrator.SILENT;
    }
    registration.start();
    await()
        .until(
            () -> !(registered ? orchestrator.heartbeats : orchestrator.registrations).isEmpty());
    registration.close(); // Or it would wait for an answer that never comes.
  }

  @Test
  void closesWithoutHavingStarted() {
    registration.close();
    assertThat(orchestrator.registrations).isEmpty();
  }

  private Registration registration(URI address) {
    return registration(address, false);
  }

  private Registration registration(URI address, boolean serving) {
    return new Registration(
        new OrchestratorClient(address, null), relay, serving, new SplittableRandom(42));
  }

  /** Probes in heartbeats that were answered with 200, each counted once. */
  private long delivered() {
    return relay.delivered.get();
  }

  private static long sent(List<Heartbeat> heartbeats) {
    return heartbeats.stream().mapToLong(RegistrationTest::sent).sum();
  }

  private static long sent(Heartbeat heartbeat) {
    List<LinkMeasurement> links = heartbeat.links();
    return links == null ? 0 : links.stream().mapToLong(LinkMeasurement::sent).sum();
  }

  /** A relay with one link, whose probes the test counts. */
  private static final class FakeRelay implements Registrant {
    static final UUID INSTANCE = UUID.fromString("6f1d2c3b-0000-4000-8000-000000000001");

    private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 5, 0);
    final List<RelayPeer> peers = new CopyOnWriteArrayList<>();
    final AtomicLong measured = new AtomicLong();
    final AtomicLong delivered = new AtomicLong();
    final AtomicLong timesReplaced = new AtomicLong();
    final DestinationUses destinations = new DestinationUses();
    volatile @Nullable Duration leastBetween;
    volatile @Nullable String replaced;
    volatile @Nullable Registration closeWhenReplaced;
    volatile boolean closed;
    volatile @Nullable Error failure;
    final AtomicLong failures = new AtomicLong();
    final AtomicLong heartbeats = new AtomicLong();

    void measure(long probes) {
      measured.addAndGet(probes);
    }

    long undelivered() {
      return measured.get() - delivered.get();
    }

    @Override
    public RelayRegistration registration() {
      Endpoint here = new Endpoint("127.0.0.1", 7411);
      return new RelayRegistration(
          "r1", "berlin", INSTANCE, "0.1", here, here, null, null, null, null, null, null, null,
          null, null, null, "", 0L, 0L, "");
    }

    @Override
    public RelaySigner signer() {
      return signer;
    }

    @Override
    public long runningStreams() {
      Error thrown = failure;
      if (thrown != null) {
        failures.incrementAndGet();
        throw thrown;
      }
      return 3;
    }

    @Override
    public long heldBytes() {
      return 4_096;
    }

    @Override
    public RelayLimits limits() {
      return new RelayLimits(100, 1L << 20, 65_536L, 5);
    }

    @Override
    public DestinationUses destinations() {
      return destinations;
    }

    @Override
    public LinkReport links() {
      heartbeats.incrementAndGet();
      long upTo = measured.get();
      long probes = upTo - delivered.get();
      return new LinkReport() {
        @Override
        public List<LinkMeasurement> links() {
          return probes == 0
              ? List.of()
              : List.of(new LinkMeasurement("b", probes, probes, 0L, 0L, null, null, null, null));
        }

        @Override
        public void delivered() {
          delivered.set(upTo);
        }
      };
    }

    @Override
    public void peers(List<RelayPeer> peers, Duration leastBetween) {
      this.leastBetween = leastBetween;
      this.peers.clear();
      this.peers.addAll(peers);
    }

    @Override
    public void replaced(String reason) {
      replaced = reason;
      timesReplaced.incrementAndGet();
      Registration open = closeWhenReplaced;
      if (open != null) {
        open.close();
        closed = true;
      }
    }
  }
}
