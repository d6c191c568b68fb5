package io.cascade.lab;

import io.cascade.links.LinkShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * New values of some of a link's parameters in a user's notation: {@code loss=1% rate=10Mbit}.
 * Others stay unchanged. {@link ShapeText} lists them.
 */
public record ShapeChange(Map<String, String> values) {
  public ShapeChange {
    values = Map.copyOf(new LinkedHashMap<>(values));
    // Rejected here and not when it is applied, which may be minutes later.
    ShapeText.apply(LinkShape.of(java.time.Duration.ofSeconds(30), 1_000_000), values);
  }

  /** Parses {@code name=value} words. */
  public static ShapeChange of(List<String> words) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("'" + word + "' (expected: NAME=VALUE)");
      }
      values.put(word.substring(0, equals), word.substring(equals + 1));
    }
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing to change (expected: NAME=VALUE ...)");
    }
    return new ShapeChange(values);
  }

  public LinkShape applyTo(LinkShape shape) {
    return ShapeText.apply(shape, values);
  }
}
