package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.orchestrator.relays.KnownRelay;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UsableRelaysTest {
  private static final RegisteredRelay R1 = KnownRelay.named("r1").carries(5).relay();
  private static final RegisteredRelay R2 = KnownRelay.named("r2").relay();
  private static final RegisteredRelay LOST = KnownRelay.named("r3").is(RelayStatus.LOST).relay();

  @Test
  void relaysThatAreUpAreUsedUnlessTheyAreAvoided() {
    UsableRelays usable = UsableRelays.up(List.of(R1, R2, LOST), Set.of("r2"));

    assertThat(usable.byName()).containsOnlyKeys("r1");
    assertThat(usable.contains("r1")).isTrue();
    assertThat(usable.contains("r2")).isFalse();
    assertThat(usable.notes()).isEmpty();
  }

  @Test
  void capacitiesAreThoseThatWereDeclared() {
    UsableRelays usable = UsableRelays.up(List.of(R1, R2), Set.of());

    assertThat(usable.capacity("r1")).isEqualTo(5);
    assertThat(usable.capacity("r2")).isNull();
    assertThat(usable.capacity("r9")).isNull();
  }

  @Test
  void onlyTheFirstByNameAreConsidered() {
    List<RegisteredRelay> many =
        IntStream.rangeClosed(0, UsableRelays.MOST)
            .mapToObj(i -> KnownRelay.named("r%02d".formatted(i)).relay())
            .toList();

    UsableRelays usable = UsableRelays.up(many, Set.of());

    assertThat(usable.byName()).hasSize(UsableRelays.MOST).doesNotContainKey("r32");
    assertThat(usable.notes()).containsExactly("Only the first 32 relays by name were considered.");
    assertThat(UsableRelays.up(many, Set.of("r00")).notes()).isEmpty();
  }

  @Test
  void noteSaysWhyThereAreNone() {
    assertThat(UsableRelays.up(List.of(), Set.of()).notes())
        .singleElement()
        .asString()
        .contains("No relay has registered");
    assertThat(UsableRelays.up(List.of(LOST), Set.of()).notes())
        .containsExactly("No usable relay is up.");
    assertThat(UsableRelays.up(List.of(R1), Set.of("r1")).notes())
        .containsExactly("No usable relay is up.");
  }

  @Test
  void requiredRelaysKeepTheirOrderAndAreUsedWhateverTheirState() {
    UsableRelays usable = UsableRelays.required(List.of(LOST, R1));

    assertThat(usable.byName().keySet()).containsExactly("r3", "r1");
    assertThat(usable.notes()).containsExactly("r3 is LOST.");
  }
}
