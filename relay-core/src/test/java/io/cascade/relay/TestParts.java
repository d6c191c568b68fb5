package io.cascade.relay;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.StreamOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of plain cascades: one inlet and one outlet. */
public final class TestParts {
  private TestParts() {}

  /**
   * Makes a part.
   *
   * @param hop number of the hop that leads to the relay; 0 at the first
   */
  public static ChainPart of(
      int hop,
      int leaseSeconds,
      @Nullable Ingress ingress,
      @Nullable HopInlet before,
      @Nullable HopOutlet next,
      @Nullable Egress egress,
      @Nullable StreamOptions options,
      @Nullable Long revision) {
    return ChainPart.builder()
        .inlets(
            List.of(
                PartInlet.builder()
                    .hop(new HopAddress(0, 0, hop))
                    .ingress(ingress)
                    .relay(before)
                    .build()))
        .outlets(
            List.of(
                PartOutlet.builder()
                    .hop(new HopAddress(0, 0, hop + 1))
                    .relay(next)
                    .egress(egress)
                    .build()))
        .leaseSeconds(leaseSeconds)
        .options(options)
        .revision(revision)
        .build();
  }
}
