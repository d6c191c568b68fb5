package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MeasuredStudyTest {
  private final MeasuredStudy study = new MeasuredStudy();
  private final EmulatedPath path = PathGenerator.paths(1, 1).getFirst();

  @Test
  void aPathWhoseMeasurementFailsWithAnErrorIsARowThatIsMeasuredAgain() {
    PathResult result = study.failed(path, new NullPointerException());

    assertThat(result.failure())
        .startsWith("java.lang.NullPointerException at ")
        .contains(getClass().getName());
    assertThat(study.words(result)).isEqualTo(result.failure());
    assertThat(study.key(path)).isEqualTo(result.key());
    assertThat(study.isAnswered(path, result)).isFalse();
  }
}
