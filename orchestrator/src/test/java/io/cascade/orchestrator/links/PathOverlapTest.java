package io.cascade.orchestrator.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PathOverlapTest {
  /** Places of relays on a line, in milliseconds of round trip from its beginning. */
  private static final Map<String, Double> LINE =
      Map.of("home", 0.0, "r1", 50.0, "r2", 100.0, "r3", 150.0, "dock", 200.0);

  private final PathOverlap onALine =
      new PathOverlap((from, to) ->
          LINE.containsKey(from) && LINE.containsKey(to)
              ? OptionalDouble.of(Math.abs(LINE.get(from) - LINE.get(to)))
              : OptionalDouble.empty());

  @Test
  void aHopOfACascadeOnThePathOverlapsTheDirectLink() {
    assertThat(overlap("home", "dock", "r1", "r2")).isTrue();
    assertThat(overlap("home", "dock", "r2", "dock")).isTrue();
    assertThat(overlap("home", "dock", "home", "r1")).isTrue();
  }

  @Test
  void hopsOfOneCascadeDoNotOverlap() {
    assertThat(overlap("home", "r1", "r1", "r2")).isFalse();
    assertThat(overlap("home", "r1", "r2", "dock")).isFalse();
  }

  @Test
  void linksThatShareAStretchOverlapThoughNeitherHoldsTheOther() {
    assertThat(overlap("home", "r2", "r1", "r3")).isTrue();
  }

  @Test
  void oppositeDirectionsDoNotOverlap() {
    assertThat(overlap("home", "dock", "r2", "r1")).isFalse();
    assertThat(overlap("r1", "r2", "r2", "r1")).isFalse();
  }

  @Test
  void aRelayFarOffThePathDoesNotOverlapIt() {
    PathOverlap triangle = new PathOverlap((_, _) -> OptionalDouble.of(100));

    assertThat(triangle.between(new PathEnds("home", "dock"), new PathEnds("r1", "dock")))
        .isFalse();
  }

  @Test
  void whereARoundTripIsNotKnownLinksDoNotOverlap() {
    assertThat(overlap("home", "dock", "home", "elsewhere")).isFalse();
  }

  private boolean overlap(String from, String to, String otherFrom, String otherTo) {
    PathEnds one = new PathEnds(from, to);
    PathEnds other = new PathEnds(otherFrom, otherTo);
    assertThat(onALine.between(other, one)).isEqualTo(onALine.between(one, other));
    return onALine.between(one, other);
  }
}
