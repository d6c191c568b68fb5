package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An orchestrator that leads no more changes nothing at a relay that has heard of the next one. */
@Timeout(60)
class LeaderEpochTest {
  private final UUID chain = UUID.randomUUID();
  private RelayNode relay;
  private RelayControlClient former;
  private RelayControlClient leader;

  @SuppressWarnings("NullAway.Init")
  LeaderEpochTest() {}

  @BeforeEach
  void start() throws IOException {
    relay = TestRelay.on(Transport.best()).start("r");
    former = TestChain.control(relay).in(7);
    leader = TestChain.control(relay).in(8);
  }

  @AfterEach
  void stop() {
    relay.close();
  }

  @Test
  void itsPartsRemovalsAndRenewalsAreRefused() {
    put(former, 1);
    put(leader, 2);

    assertStale(() -> put(former, 3));
    assertStale(() -> put(TestChain.control(relay), 3));
    assertStale(() -> former.remove(chain, true, TestChain.PATIENCE));
    assertStale(() -> former.remove(UUID.randomUUID(), true, TestChain.PATIENCE));
    assertStale(() -> renew(former));
    assertThat(renew(leader)).containsExactly(chain);
  }

  @Test
  void aRenewalOfTheNextOneIsEnoughToKnowIt() {
    put(former, 1);

    assertThat(renew(leader)).containsExactly(chain);

    assertStale(() -> former.remove(chain, true, TestChain.PATIENCE));
    assertThat(renew(leader)).containsExactly(chain);
  }

  @Test
  void revisionsCountWithinAnEpoch() {
    put(former, 5);

    put(leader, 2); // of an older copy of the database

    assertThatThrownBy(() -> put(leader, 1)).hasMessageContaining("revision");
  }

  @Test
  void aRemovalOfAnEarlierRevisionRemovesNothing() {
    put(leader, 5);

    assertThatThrownBy(() -> leader.remove(chain, true, 4, TestChain.PATIENCE))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("revision");

    assertThat(renew(leader)).containsExactly(chain);
    leader.remove(chain, true, 5, TestChain.PATIENCE);
    assertThat(renew(leader)).isEmpty();
  }

  private List<UUID> renew(RelayControlClient orchestrator) {
    return orchestrator.renew(new LeaseRenewal(60, List.of(chain)), TestChain.PATIENCE).renewed();
  }

  private InstalledPart put(RelayControlClient orchestrator, long revision) {
    ChainPart part =
        TestParts.of(
            0,
            60,
            Ingress.builder().port(0).build(),
            null,
            null,
            Egress.builder().host("127.0.0.1").port(9).build(),
            null,
            revision);
    return orchestrator.install(chain, part, TestChain.PATIENCE);
  }

  private static void assertStale(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(409);
              assertThat(problem.type()).isEqualTo("urn:cascade:problem:stale-epoch");
            });
  }
}
