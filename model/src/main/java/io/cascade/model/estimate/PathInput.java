package io.cascade.model.estimate;

import io.cascade.model.cascade.LossDivision;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.units.Require;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/**
 * Parameters of one path, or of one hop of a chain.
 *
 * @param rttSeconds round-trip time without queues
 * @param lossProbability a known probability, or the bounds of one that was counted
 * @param capacityBitsPerSecond the link's capacity on the wire; empty if unknown, and then no cap
 * @param model of this hop's sender; empty for the request's
 * @param mssBytes payload of this hop's full packets; empty for the request's
 */
public record PathInput(
    double rttSeconds,
    Interval lossProbability,
    OptionalDouble capacityBitsPerSecond,
    Optional<SenderModel> model,
    OptionalInt mssBytes) {

  /** Checks every value. */
  public PathInput {
    Require.positive("rttSeconds", rttSeconds);
    Require.probability("lossProbability", lossProbability.low());
    Require.probability("lossProbability", lossProbability.high());
    capacityBitsPerSecond.ifPresent(value -> Require.positive("capacityBitsPerSecond", value));
    mssBytes.ifPresent(value -> Require.atLeast("mssBytes", value, 1));
  }

  /** A path of unknown capacity, with the request's sender and packets. */
  public static PathInput of(double rttSeconds, Interval lossProbability) {
    return new PathInput(
        rttSeconds, lossProbability, OptionalDouble.empty(), Optional.empty(), OptionalInt.empty());
  }

  /** The same path with a known capacity. */
  public PathInput withCapacity(double bitsPerSecond) {
    return new PathInput(
        rttSeconds, lossProbability, OptionalDouble.of(bitsPerSecond), model, mssBytes);
  }

  /** The same path with another sender. */
  public PathInput withModel(SenderModel other) {
    return new PathInput(
        rttSeconds, lossProbability, capacityBitsPerSecond, Optional.of(other), mssBytes);
  }

  /**
   * The path that one connection over all these hops meets: round-trip times add, a packet must
   * survive every loss (p = 1 − Π(1−pᵢ)), the smallest known capacity and packet rule. The sender
   * is the request's.
   */
  static PathInput composed(List<PathInput> hops) {
    return new PathInput(
        hops.stream().mapToDouble(PathInput::rttSeconds).sum(),
        Interval.around(
            composed(hops, Interval::likely),
            composed(hops, Interval::low),
            composed(hops, Interval::high)),
        hops.stream().flatMapToDouble(hop -> hop.capacityBitsPerSecond().stream()).min(),
        Optional.empty(),
        hops.stream().flatMapToInt(hop -> hop.mssBytes().stream()).min());
  }

  private static double composed(List<PathInput> hops, ToDoubleFunction<Interval> level) {
    double survives = 1;
    for (PathInput hop : hops) {
      survives *= 1 - level.applyAsDouble(hop.lossProbability());
    }
    return 1 - survives;
  }

  /** One of {@code count} equal hops of this path. */
  PathInput cut(int count, LossDivision division) {
    return new PathInput(
        rttSeconds / count,
        Interval.around(
            division.perHop(lossProbability.likely(), count),
            division.perHop(lossProbability.low(), count),
            division.perHop(lossProbability.high(), count)),
        capacityBitsPerSecond,
        model,
        mssBytes);
  }
}
