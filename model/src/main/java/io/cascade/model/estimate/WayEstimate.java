package io.cascade.model.estimate;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rate that one way to the destination would deliver: a direct connection, several, or a cascade.
 *
 * @param connections number of parallel connections, each over all hops
 * @param hops in the stream's direction
 * @param bottleneck index of the slowest hop, the first of several
 * @param bitsPerSecond steady rate of all connections together
 * @param time of a finite transfer
 * @param relayBufferBytes bytes that each relay needs to keep both its hops busy; infinite if the
 *     rate is
 */
public record WayEstimate(
    int connections,
    List<HopEstimate> hops,
    int bottleneck,
    Interval bitsPerSecond,
    Optional<TransferTime> time,
    List<Double> relayBufferBytes) {

  /** Copies the lists. */
  public WayEstimate {
    hops = List.copyOf(hops);
    relayBufferBytes = List.copyOf(relayBufferBytes);
  }

  /** The slowest hop. */
  public HopEstimate bottleneckHop() {
    return hops.get(bottleneck);
  }

  /** The likely steady rate over the smallest known capacity; empty if none is known. */
  public OptionalDouble utilisation() {
    OptionalDouble capacity =
        hops.stream().flatMapToDouble(hop -> hop.input().capacityBitsPerSecond().stream()).min();
    return capacity.isPresent()
        ? OptionalDouble.of(bitsPerSecond.likely() / capacity.getAsDouble())
        : capacity;
  }

  /** Cost for comparing ways, less is better: seconds of the transfer, or seconds per bit. */
  Interval cost() {
    return time.map(TransferTime::total).orElseGet(() -> bitsPerSecond.reciprocal(1));
  }
}
