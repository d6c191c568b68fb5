package io.cascade.orchestrator.problems;

import io.cascade.testing.Golden;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProblemKindTest {
  @Test
  @Tag(Golden.TAG)
  void typesStatusesAndTitlesStayAsTheyAre() {
    Golden.check(
        "problems/orchestrator.txt",
        Arrays.stream(ProblemKind.values())
            .map(kind ->
                kind.urn() + " " + ProblemResponse.status(kind).value() + " " + kind.title() + "\n")
            .collect(Collectors.joining()));
  }
}
