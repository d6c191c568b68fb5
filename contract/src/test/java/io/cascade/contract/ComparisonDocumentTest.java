package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.WayComparison;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComparisonDocumentTest {
  private static final WayComparison FIVE_PAIRS =
      WayComparison.builder()
          .from("home")
          .to("sea")
          .relays(List.of("den", "slc"))
          .pairs(5)
          .bytes(10_000_000L)
          .ratioLow(1.61)
          .ratio(2.4)
          .ratioHigh(3.58)
          .decision(Decision.CASCADE)
          .ageSeconds(2.0)
          .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CASCADE   | Through den, slc: 2.4 times as fast as direct (1.6 to 3.6)",
        "DIRECT    | Directly: through den, slc it is 2.4 times as fast as direct (1.6 to 3.6)",
        "EQUAL     | Either, within 10 %: through den, slc it is 2.4 times as fast as direct (1.6 to 3.6)",
        "UNDECIDED | Compared and still undecided: through den, slc it was 2.4 times as fast as direct (1.6 to 3.6)",
      })
  void oneSentenceSaysWhatWasComparedAndHowItCameOut(Decision decision, String words) {
    assertThat(ComparisonDocument.words(FIVE_PAIRS.toBuilder().decision(decision).build()))
        .isEqualTo(words + ", by 5 pairs of tests from home to sea.");
  }

  @Test
  void itSaysWhyThereAreNoMorePairsAndHowOldTheyAre() {
    WayComparison one =
        FIVE_PAIRS.toBuilder()
            .pairs(1)
            .ratioLow(null)
            .ratioHigh(null)
            .decision(Decision.UNDECIDED)
            .ageSeconds(240.0)
            .stoppedBecause("a stream needs home")
            .build();
    assertThat(ComparisonDocument.words(one))
        .isEqualTo(
            "Compared and still undecided: through den, slc it was 2.4 times as fast as direct, by one"
                + " pair of tests from home to sea 4 min ago; no more of them: a stream needs home.");
  }

  @Test
  void whatHasDecidedIsTheSummaryAndWhatHasNotIsANote() {
    Plan plan = plan();

    Plan decided = ComparisonDocument.with(plan, FIVE_PAIRS);
    assertThat(decided.summary()).startsWith("Through den, slc");
    assertThat(decided.notes()).containsExactly("first");
    assertThat(decided.comparison()).isEqualTo(FIVE_PAIRS);

    Plan open =
        ComparisonDocument.with(plan, FIVE_PAIRS.toBuilder().decision(Decision.UNDECIDED).build());
    assertThat(open.summary()).isEqualTo("by the model");
    assertThat(open.notes()).hasSize(2).last().asString().startsWith("Compared and still");
  }

  @Test
  void boundsThatAreFarAwayAreLeftOut() {
    WayComparison two = FIVE_PAIRS.toBuilder().pairs(2).ratioLow(0.023).ratioHigh(250.0).build();
    assertThat(ComparisonDocument.words(two))
        .startsWith("Through den, slc: 2.4 times as fast as direct, by 2 pairs");
    assertThat(ComparisonDocument.words(two.toBuilder().ratioLow(0.025).ratioHigh(230.0).build()))
        .contains(" as direct (");
  }

  @Test
  void whatHasDecidedAnotherTransferIsANote() {
    Plan open = plan().toBuilder().decision(Decision.UNDECIDED).build();

    Plan shown = ComparisonDocument.with(open, FIVE_PAIRS);

    assertThat(shown.summary()).isEqualTo("by the model");
    assertThat(shown.notes()).hasSize(2).last().asString().startsWith("Through den, slc: 2.4");
    assertThat(shown.comparison()).isEqualTo(FIVE_PAIRS);
  }

  private static Plan plan() {
    return Plan.builder()
        .destination("h:1")
        .decision(Decision.CASCADE)
        .summary("by the model")
        .plannedAt(Instant.EPOCH)
        .candidates(List.of())
        .notes(List.of("first"))
        .build();
  }
}
