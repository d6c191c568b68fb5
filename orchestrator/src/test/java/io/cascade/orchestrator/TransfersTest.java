package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Role;
import io.cascade.api.orchestrator.RunningTransfer;
import io.cascade.api.orchestrator.TransferEnd;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.api.orchestrator.TransferState;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients report how far their transfers are, and see those of their own. */
@NullUnmarked
class TransfersTest {
  private final UUID id = UUID.randomUUID();
  private Rig rig;
  private OrchestratorClient alice;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, settings -> settings.withToken("a-secret-of-some-length"));
    alice = client("alice", Role.CLIENT);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private OrchestratorClient client(String name, Role role) {
    return new OrchestratorClient(
        rig.address(),
        rig.client().createKey(ApiKeyRequest.builder().name(name).role(role).build()).secret());
  }

  private static TransferProgress.Builder progress() {
    return TransferProgress.builder()
        .destination("files.example.org:7420")
        .size(4_000L)
        .bytes(1_000L)
        .bitsPerSecond(8_000.0);
  }

  @Test
  void theLatestReportIsShownAndThenHowItEnded() {
    alice.report(id, progress().bytes(500L).build());
    alice.report(id, progress().build());

    RunningTransfer seen = client("vera", Role.VIEWER).transfers().transfers().getFirst();
    assertThat(seen.id()).isEqualTo(id);
    assertThat(seen.client()).isEqualTo("127.0.0.1");
    assertThat(seen.owner()).isEqualTo("client/alice");
    assertThat(seen.destination()).isEqualTo("files.example.org:7420");
    assertThat(seen.state()).isEqualTo(TransferState.RUNNING);
    assertThat(seen.secondsLeft()).isEqualTo(3);

    alice.report(id, progress().bytes(4_000L).end(TransferEnd.ARRIVED).build());

    assertThat(alice.transfers().transfers())
        .extracting(RunningTransfer::state)
        .containsExactly(TransferState.ARRIVED);
  }

  @Test
  void aClientSeesItsOwnAloneAndEverybodyElseSeesAll() {
    alice.report(id, progress().build());
    rig.client().report(UUID.randomUUID(), progress().build());

    assertThat(client("bob", Role.CLIENT).transfers().transfers()).isEmpty();
    assertThat(alice.transfers().transfers()).hasSize(1);
    assertThat(client("olga", Role.OPERATOR).transfers().transfers()).hasSize(2);
    assertThat(rig.client().transfers().transfers())
        .extracting(RunningTransfer::owner)
        .containsExactly(null, "client/alice");
  }

  @Test
  void whatTheContractDoesNotAllowIsRefused() {
    assertThatThrownBy(() -> alice.report(id, progress().bytes(-1L).build()))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(400))
        .hasMessageContaining("bytes");
    assertThatThrownBy(() -> alice.report(id, progress().destination("nowhere").build()))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(422));
  }

  @Test
  void nothingOfItIsStored() {
    alice.report(id, progress().build());

    rig.stop();
    rig.startAgain();

    assertThat(client("vera", Role.VIEWER).transfers().transfers()).isEmpty();
  }
}
