package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.experiment.JsonLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredCampaignTest {
  @TempDir private Path folder;

  private final List<EmulatedPath> paths = PathGenerator.paths(3, 1);
  private final StringWriter said = new StringWriter();

  @Test
  void aPathWhoseMeasurementFailsWithAnErrorIsARowAndTheOthersGoOn() throws Exception {
    JsonLines<PathResult> results =
        new JsonLines<>(folder.resolve("some.jsonl"), PathResult.class, PathResult::key);

    boolean complete =
        campaign(
                results,
                (path, _) -> {
                  if (path.number() == 2) {
                    throw new NullPointerException();
                  }
                  return ofPath(path);
                })
            .measure(1);

    assertThat(complete).isFalse();
    assertThat(results.read())
        .extracting(result -> result.path().number())
        .containsExactly(1, 2, 3);
    assertThat(results.read().get(1).failure())
        .startsWith("java.lang.NullPointerException at ")
        .contains(getClass().getName());
    assertThat(results.read().get(2).failure()).isNull();
    assertThat(said.toString()).contains("path 2: java.lang.NullPointerException at ");
  }

  @Test
  void whatFailedIsMeasuredAgainTheNextTime() throws Exception {
    JsonLines<PathResult> results =
        new JsonLines<>(folder.resolve("some.jsonl"), PathResult.class, PathResult::key);
    campaign(
            results,
            (path, _) -> {
              throw new IllegalStateException("no such thing");
            })
        .measure(2);

    assertThat(campaign(results, (path, _) -> ofPath(path)).measure(1)).isTrue();
    assertThat(results.read()).allMatch(result -> result.failure() == null);
  }

  private MeasuredCampaign campaign(JsonLines<PathResult> results, MeasuredCampaign.Trial trial) {
    return new MeasuredCampaign(paths, 1, results, new PrintWriter(said), trial);
  }

  private static PathResult ofPath(EmulatedPath path) {
    PathResult some =
        Measured.path(
            Measured.sent("send", 5.0),
            Measured.sent("direct", 12.0),
            Measured.sent("via r1", 5.0));
    return new PathResult(
        path,
        some.at(),
        some.bytes(),
        some.repetitions(),
        some.upSeconds(),
        some.early(),
        some.plan(),
        some.expectedBest(),
        some.expected(),
        some.transfers(),
        null);
  }
}
