package io.cascade.siting;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Demands as tests want them. */
final class Demands {
  private Demands() {}

  /** A transfer of weight 1. */
  static Demand transfer(String from, String to, long bytes) {
    return new Demand(from, to, OptionalLong.of(bytes), 1, OptionalDouble.empty());
  }

  /** A stream without end, of weight 1. */
  static Demand stream(String from, String to) {
    return new Demand(from, to, OptionalLong.empty(), 1, OptionalDouble.empty());
  }

  static Demand weighted(Demand demand, double weight) {
    return new Demand(
        demand.from(), demand.to(), demand.bytes(), weight, demand.requiredBitsPerSecond());
  }

  /** The same demand, served only at this rate or above. */
  static Demand requiring(Demand demand, double bitsPerSecond) {
    return new Demand(
        demand.from(),
        demand.to(),
        demand.bytes(),
        demand.weight(),
        OptionalDouble.of(bitsPerSecond));
  }
}
