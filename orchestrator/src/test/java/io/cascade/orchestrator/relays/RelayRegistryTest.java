package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.ManualTime;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

class RelayRegistryTest {
  private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
  private final ManualTime ahead = ManualTime.running();
  private final Timekeeper time = ahead.timekeeper();
  private final Stored stored = new Stored();
  private final List<Object> facts = new ArrayList<>();

  @Test
  void aRelayTooManyIsRefusedBeforeAnythingIsKeptOfIt() {
    IntStream.range(0, RelayRegistry.MOST_RELAYS)
        .mapToObj(i -> KnownRelay.named("known-" + i).relay())
        .forEach(stored.before::add);
    RelayRegistry registry = registry();

    assertThatThrownBy(() -> registry.register(registration("new")))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.LIMIT_REACHED));

    assertThat(registry.find("new")).isEmpty();
    assertThat(stored.saved).isEmpty();
    assertThat(facts).isEmpty();
  }

  @Test
  void aRegistrationThatCannotBeStoredHasNotHappenedAndMayBeSentAgain() {
    RelayRegistry registry = registry();
    RelayRegistration registration = registration("r1");
    stored.away = true;

    assertThatThrownBy(() -> registry.register(registration))
        .isInstanceOf(DataAccessResourceFailureException.class);
    assertThat(registry.find("r1")).isEmpty();

    stored.away = false;
    registry.register(registration);
    assertThat(registry.find("r1")).isPresent();
  }

  @Test
  void aLostRelayOfWhichSomethingWasHeardIsNotForgotten() {
    RelayRegistry registry = registry();
    registry.register(registration("r1"));
    RegisteredRelay seen = registry.known("r1");
    registry.register(registration("r1"));

    registry.forgetLost(seen);
    assertThat(registry.find("r1")).isPresent();

    registry.forgetLost(registry.known("r1"));
    assertThat(registry.find("r1")).isEmpty();
  }

  @Test
  void howeverManyRelaysAreLostADatabaseThatIsAwayIsAskedOnce() {
    RelayRegistry registry = registry();
    registry.register(registration("r1"));
    registry.register(registration("r2"));
    stored.away = true;
    stored.asked = 0;

    ahead.pass(Duration.ofMinutes(1));
    registry.noticeSilence();

    assertThat(registry.all()).allMatch(RegisteredRelay::isGone);
    assertThat(stored.asked).isEqualTo(1);
  }

  private RelayRegistry registry() {
    return new RelayRegistry(
        stored,
        new EventLog(time),
        facts::add,
        new HeartbeatIntervals(Duration.ofSeconds(1)),
        time);
  }

  private RelayRegistration registration(String name) {
    return signer.sign(KnownRelay.named(name).relay().registration());
  }

  /** A store in memory that can be away. */
  private static final class Stored extends RelayStore {
    final List<RegisteredRelay> before = new ArrayList<>();
    final List<RegisteredRelay> saved = new ArrayList<>();
    boolean away;
    int asked;

    @SuppressWarnings("NullAway") // nothing is written through it
    Stored() {
      super(JdbcClient.create(new SimpleDriverDataSource()), null);
    }

    @Override
    void save(RegisteredRelay relay) {
      asked++;
      if (away) {
        throw new DataAccessResourceFailureException("away");
      }
      saved.add(relay);
    }

    @Override
    void remove(String name) {}

    @Override
    List<String> drained() {
      return List.of();
    }

    @Override
    List<RegisteredRelay> all(Instant from) {
      return before;
    }
  }
}
