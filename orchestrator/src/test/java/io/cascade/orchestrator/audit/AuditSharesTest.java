package io.cascade.orchestrator.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.audit.AuditShares.Holder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditSharesTest {
  private static Holder other(String name, long entries) {
    return new Holder(name, false, entries);
  }

  private static Holder manager(String name, long entries) {
    return new Holder(name, true, entries);
  }

  @Test
  void whereThereIsRoomNothingGoes() {
    assertThat(AuditShares.excess(List.of(other("a", 60), manager("b", 40)), 100)).isEmpty();
    assertThat(AuditShares.excess(List.of(), 100)).isEmpty();
  }

  @Test
  void whoeverHasTheMostLosesThem() {
    Holder most = other("a", 70);
    Holder second = other("b", 40);
    assertThat(AuditShares.excess(List.of(other("c", 5), second, most), 85))
        .containsOnly(Map.entry(most, 30L));
    assertThat(AuditShares.excess(List.of(other("c", 5), second, most), 65))
        .containsOnly(Map.entry(most, 40L), Map.entry(second, 10L));
  }

  @Test
  void manyOthersTakeNothingFromTheHalfOfManagers() {
    Holder manager = manager("m", 50);
    Holder one = other("a", 30);
    Holder two = other("b", 30);
    assertThat(AuditShares.excess(List.of(manager, one, two), 100))
        .containsOnly(Map.entry(one, 5L), Map.entry(two, 5L));
  }

  @Test
  void aManagerTakesNothingFromTheHalfOfOthers() {
    Holder manager = manager("m", 90);
    assertThat(AuditShares.excess(List.of(manager, other("a", 30)), 100))
        .containsOnly(Map.entry(manager, 20L));
  }

  @Test
  void aCallerWhoseRoleChangedIsTwo() {
    Holder before = other("oidc/a", 60);
    assertThat(AuditShares.excess(List.of(before, manager("oidc/a", 50)), 100))
        .containsOnly(Map.entry(before, 10L));
  }
}
