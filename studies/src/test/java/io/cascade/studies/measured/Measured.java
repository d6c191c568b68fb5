package io.cascade.studies.measured;

import io.cascade.api.orchestrator.Decision;
import io.cascade.studies.measured.EmulatedPath.Bottleneck;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.EmulatedPath.Layout;
import io.cascade.studies.measured.EmulatedPath.LossAt;
import io.cascade.studies.measured.PathResult.Note;
import io.cascade.studies.measured.PathResult.Planned;
import io.cascade.studies.measured.PathResult.Prediction;
import io.cascade.studies.measured.PathResult.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Results as a campaign has them. */
final class Measured {
  private Measured() {}

  /** One relay; a plan that is undecided: direct in 10 s or more, via r1 in 3 to 4 s. */
  static PathResult path(List<Transfer> send, List<Transfer> direct, List<Transfer> relays) {
    return path(1, Ends.BARE, send, direct, relays);
  }

  static PathResult path(
      int number, Ends ends, List<Transfer> send, List<Transfer> direct, List<Transfer> relays) {
    EmulatedPath path =
        new EmulatedPath(
            number,
            number,
            "cubic",
            "cubic",
            20,
            100,
            0.01,
            1,
            false,
            LossAt.EVENLY,
            Layout.ON_PATH,
            1,
            1,
            Bottleneck.NONE,
            ends,
            List.of(0.5));
    Planned plan =
        new Planned(
            2,
            Decision.UNDECIDED,
            0.6,
            "not enough",
            List.of("r1"),
            List.of(
                new Prediction("direct", 10.0, null, null, List.of()),
                new Prediction("via r1", 3.0, 3.5, 4.0, List.of())),
            List.of());
    return new PathResult(
        path,
        "2026-01-01T00:00:00Z",
        10_000_000,
        2,
        5,
        plan,
        plan,
        "via r1",
        List.of(),
        Stream.of(send, direct, relays).flatMap(List::stream).toList(),
        null);
  }

  /** The same with a plan that decided. */
  static PathResult decided(Decision decision, PathResult path) {
    Planned open = Objects.requireNonNull(path.plan());
    Planned plan =
        new Planned(
            open.seconds(),
            decision,
            0.9,
            "enough",
            open.relays(),
            open.predictions(),
            open.notes());
    return new PathResult(
        path.path(),
        path.at(),
        path.bytes(),
        path.repetitions(),
        path.upSeconds(),
        path.early(),
        plan,
        path.expectedBest(),
        path.expected(),
        path.transfers(),
        path.failure());
  }

  /**
   * @param seconds of each repetition; null for one that failed
   */
  static List<Transfer> sent(String way, @Nullable Double... seconds) {
    return sentAfter(0, way, seconds);
  }

  /**
   * @param preparation seconds before each
   */
  static List<Transfer> sentAfter(double preparation, String way, @Nullable Double... seconds) {
    List<Transfer> transfers = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      transfers.add(
          new Transfer(
              way,
              i,
              1.5,
              seconds[i],
              seconds[i] == null ? null : (Double) (preparation + seconds[i]),
              "CASCADE",
              way.equals("direct") ? List.of() : List.of("r1"),
              "both ways carried it, relays the larger part",
              1_000_000L,
              9_000_000L,
              null,
              null,
              null,
              List.of(new Note(2.5, "sending via r1 as well")),
              seconds[i] == null ? "cut off" : null));
    }
    return transfers;
  }
}
