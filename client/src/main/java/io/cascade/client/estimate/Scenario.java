package io.cascade.client.estimate;

import io.cascade.model.uncertainty.Interval;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Values of dimensions; those without a value are absent. */
public record Scenario(Map<Dimension, Interval> values) {

  /** Copies the map. */
  public Scenario {
    values = Map.copyOf(values);
  }

  /** The value of a dimension. */
  public Optional<Interval> value(Dimension dimension) {
    return Optional.ofNullable(values.get(dimension));
  }

  /** Returns this scenario with another value of one dimension. */
  public Scenario with(Dimension dimension, Interval value) {
    Map<Dimension, Interval> changed = new EnumMap<>(Dimension.class);
    changed.putAll(values);
    changed.put(dimension, value);
    return new Scenario(changed);
  }
}
