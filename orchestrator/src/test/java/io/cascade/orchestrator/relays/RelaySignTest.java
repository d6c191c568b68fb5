package io.cascade.orchestrator.relays;

import static io.cascade.api.orchestrator.RelayStatus.DRAINING;
import static io.cascade.api.orchestrator.RelayStatus.LOST;
import static io.cascade.api.orchestrator.RelayStatus.SILENT;
import static io.cascade.api.orchestrator.RelayStatus.STOPPED;
import static io.cascade.api.orchestrator.RelayStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RelayStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RelaySignTest {
  /** For each status, what follows the signs in their order. */
  private static final Map<RelayStatus, List<RelayStatus>> TABLE =
      Map.of(
          UP, List.of(UP, DRAINING, STOPPED, SILENT, LOST, LOST),
          DRAINING, List.of(UP, DRAINING, STOPPED, SILENT, LOST, LOST),
          SILENT, List.of(UP, DRAINING, STOPPED, SILENT, LOST, LOST),
          LOST, List.of(UP, DRAINING, STOPPED, LOST, LOST, LOST),
          STOPPED, List.of(UP, DRAINING, STOPPED, STOPPED, STOPPED, STOPPED));

  @Test
  void everySignMovesEveryStatusAsTheTableSays() {
    assertThat(TABLE).containsOnlyKeys(RelayStatus.values());
    TABLE.forEach((before, after) ->
        assertThat(Arrays.stream(RelaySign.values()).map(sign -> sign.after(before)))
            .as("%s", before)
            .containsExactlyElementsOf(after));
  }
}
