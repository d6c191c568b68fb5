package io.cascade.lab;

import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import java.util.List;

/**
 * Statistics of a lab's links.
 *
 * @param seconds since the emulator started
 */
public record LabStatistics(double seconds, List<Direction> directions) {
  public LabStatistics {
    directions = List.copyOf(directions);
  }

  public DirectionStatistics of(String from, String to) {
    return directions.stream()
        .filter(direction -> direction.from().equals(from) && direction.to().equals(to))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "link: %s-%s (expected: one there is)".formatted(from, to)))
        .statistics();
  }

  /** One direction of a link. */
  public record Direction(
      String from, String to, LinkShape shape, DirectionStatistics statistics) {}
}
