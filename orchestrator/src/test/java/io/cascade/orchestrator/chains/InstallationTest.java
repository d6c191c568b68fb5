package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Endpoint;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InstallationTest {
  private final HopKeys fresh = new HopKeys();
  private final Installation first =
      Installation.on(7, List.of("a", "b", "c", "d"), true, 0, false, fresh)
          .reachedAt(new Endpoint("198.51.100.1", 40_123));

  @Test
  void everyHopBetweenRelaysHasARandomKeyOf32Bytes() {
    assertThat(first.keys()).hasSize(3).doesNotHaveDuplicates();
    assertThat(first.keys())
        .allSatisfy(key -> assertThat(Base64.getDecoder().decode(key)).hasSize(32));
  }

  @Test
  void aRestartedRelaySharesNoOldKeyWithEitherNeighbour() {
    Installation after = first.again(Set.of("b"), fresh);

    assertThat(after.keys().get(0)).isNotEqualTo(first.keys().get(0));
    assertThat(after.keys().get(1)).isNotEqualTo(first.keys().get(1));
    assertThat(after.keys().get(2)).isEqualTo(first.keys().get(2));
    assertThat(first.touchedBy(Set.of("b"))).containsExactly(0, 1, 2);
  }

  @Test
  void aRestartedEgressTouchesOnlyItsPredecessor() {
    assertThat(first.touchedBy(Set.of("d"))).containsExactly(2, 3);
  }

  @Test
  void aRestartedIngressIsAskedForThePortThatApplicationsKnow() {
    assertThat(first.again(Set.of("a"), fresh).askedPort()).isEqualTo(40_123);
  }

  @Test
  void anIngressThatLivesIsAskedForTheSameAsBeforeSoThatItKeepsItsListener() {
    assertThat(first.again(Set.of("b"), fresh).askedPort()).isZero();
  }

  @Test
  void oneThatWasStoredBeforeHopsCouldBeEncryptedIsPlain() {
    String stored = "{\"relays\":[\"a\"],\"keys\":[],\"askedPort\":0}";

    assertThat(Json.lenient().readValue(stored, Installation.class).encrypted()).isFalse();
  }

  @Test
  void whateverIsPutOnRelaysLaterHasAHigherRevision() {
    assertThat(first.number()).as("with its address known, the same").isEqualTo(7);
    assertThat(first.again(Set.of("b"), fresh).number()).isEqualTo(8);
    assertThat(first.around(List.of("a", "e"), true, fresh).number()).isEqualTo(8);
    assertThat(first.again(Set.of("b"), fresh).around(List.of("a"), true, fresh).number())
        .isEqualTo(9);
  }

  @Test
  void oneThatWasStoredBeforeThereWereRevisionsComesBeforeAllOthers() {
    String stored = "{\"relays\":[\"a\"],\"keys\":[],\"askedPort\":0}";
    Installation old = Json.lenient().readValue(stored, Installation.class);

    assertThat(old.number()).isZero();
    assertThat(old.again(Set.of("a"), fresh).number()).isEqualTo(1);
  }

  @Test
  void keysAreInNoText() {
    assertThat(first.toString()).doesNotContain(first.keys());
  }
}
