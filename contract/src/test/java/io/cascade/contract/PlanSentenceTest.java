package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A plan in one sentence. */
class PlanSentenceTest {
  private static final List<String> RELAYS = List.of("den", "sea");

  /** The likely value and its bounds. */
  private record Range(@Nullable Double low, @Nullable Double likely, @Nullable Double high) {}

  private static final Range UNKNOWN = new Range(null, null, null);

  @Test
  void aCascadeIsSoManyTimesAsFast() {
    assertThat(seconds(Decision.CASCADE, new Range(50.0, 60.0, 66.0), new Range(13.0, 15.0, 18.0)))
        .isEqualTo("Through den and sea: about 4 times as fast as direct (likely 3.1 to 4.8).");
  }

  @Test
  void aCascadeThatLosesIsNamedWhereTheDirectWayIsBetter() {
    assertThat(seconds(Decision.DIRECT, new Range(10.0, 10.0, 10.0), new Range(16.0, 20.0, 25.0)))
        .isEqualTo(
            "Directly: through den and sea it would be about 0.50 times as fast as direct"
                + " (likely 0.40 to 0.63).");
  }

  @Test
  void eitherIsAsGoodWhereBothAreEquallyFast() {
    assertThat(seconds(Decision.EQUAL, new Range(14.0, 15.0, 16.0), new Range(14.0, 15.0, 16.0)))
        .isEqualTo(
            "Either, within 10 %: through den and sea it would be about 1 times as fast as direct"
                + " (likely 0.91 to 1.1).");
  }

  @Test
  void undecidedSaysBothBoundsAndTheOdds() {
    assertThat(seconds(Decision.UNDECIDED, new Range(5.0, 10.0, 20.0), new Range(5.0, 8.0, 16.0)))
        .isEqualTo(
            "Undecided: through den and sea it may be about 1.3 times as fast as direct"
                + " (likely 0.47 to 2.9); relays are faster with a probability of 73.0 %.");
  }

  @Test
  void aStreamIsComparedByItsRate() {
    assertThat(rates(Decision.CASCADE, new Range(1e6, 1e6, 1e6), new Range(3e6, 4e6, 5e6)))
        .isEqualTo("Through den and sea: about 4 times as fast as direct (likely 3 to 5).");
  }

  @Test
  void aBetterWayWithoutRelaysIsNamedBesideDirect() {
    assertThat(beside(CandidateKind.DIRECT_BBR, 5.0))
        .isEqualTo(
            "Through den and sea: about 4 times as fast as direct (likely 4 to 4); direct with bbr"
                + " would be 3 times as fast as that.");
    assertThat(beside(CandidateKind.PARALLEL_DIRECT, 30.0))
        .endsWith("; about 2 times as fast as 4 direct connections.");
    assertThat(beside(CandidateKind.DIRECT_BBR, 15.1)).endsWith("; as fast as direct with bbr.");
    assertThat(beside(CandidateKind.PARALLEL_DIRECT, 60.0)).endsWith("(likely 4 to 4).");
  }

  @Test
  void adviceNamesTheBetterWayWithoutRelaysAsWell() {
    List<Candidate> candidates = besideRival(CandidateKind.DIRECT_BBR, 5.0);

    assertThat(new PlanSentence(Decision.CASCADE, RELAYS, candidates, 0.73).timesAsFast())
        .hasValue(
            "about 4 times as fast as direct (likely 4 to 4); direct with bbr would be 3 times as"
                + " fast as that");
  }

  @Test
  void ofWaysThatNobodyTriedThereAreBoundsAlone() {
    assertThat(seconds(Decision.CASCADE, new Range(45.0, null, 60.0), new Range(10.0, 15.0, 15.0)))
        .isEqualTo("Through den and sea: 3 to 6 times as fast as direct.");
    assertThat(seconds(Decision.CASCADE, new Range(45.0, null, null), new Range(10.0, 15.0, 15.0)))
        .isEqualTo("Through den and sea: at least 3 times as fast as direct.");
    assertThat(seconds(Decision.CASCADE, new Range(5.0, null, null), new Range(10.0, 15.0, 15.0)))
        .isEqualTo("Through den and sea: the direct way is not known.");
    assertThat(seconds(Decision.DIRECT, new Range(null, null, 60.0), new Range(10.0, 15.0, 15.0)))
        .isEqualTo("Directly: through den and sea it would be at most 6 times as fast as direct.");
  }

  @Test
  void whatNothingBoundsIsAtLeastOrAtMost() {
    assertThat(rates(Decision.CASCADE, new Range(1e6, 1e6, 1e6), new Range(3e6, 4e6, null)))
        .isEqualTo("Through den and sea: at least 3 times as fast as direct.");
    assertThat(rates(Decision.UNDECIDED, new Range(1e6, 1e6, null), new Range(3e6, 4e6, 5e6)))
        .startsWith("Undecided: through den and sea it may be at most 5 times as fast as direct;");
    assertThat(rates(Decision.UNDECIDED, new Range(1e6, 1e6, null), new Range(3e6, 4e6, null)))
        .startsWith(
            "Undecided: through den and sea it may be about 4 times as fast as direct as far"
                + " as was seen;");
  }

  @Test
  void boundsThatAreFarApartAreWords() {
    assertThat(rates(Decision.CASCADE, new Range(1e4, 1e6, 9e8), new Range(3e4, 4e6, 5e8)))
        .isEqualTo(
            "Through den and sea: about 4 times as fast as direct, known to a factor of 10 at"
                + " best.");
  }

  @Test
  void whatIsNotKnownIsNoNumber() {
    assertThat(seconds(Decision.CASCADE, UNKNOWN, new Range(13.0, 15.0, 18.0)))
        .isEqualTo("Through den and sea: the direct way is not known.");
    assertThat(seconds(Decision.DIRECT, new Range(1.0, 1.0, 1.0), UNKNOWN))
        .isEqualTo("Directly: nothing shows that relays would help.");
    assertThat(seconds(Decision.UNDECIDED, UNKNOWN, UNKNOWN))
        .startsWith(
            "Undecided: too little was measured to compare the way through den and sea"
                + " with the direct one;");
  }

  @Test
  void withoutRelaysItIsDirectlyOrNotAtAll() {
    Candidate direct =
        candidate(CandidateKind.DIRECT, List.of(), new Range(1.0, 1.0, 1.0), UNKNOWN);
    assertThat(words(Decision.DIRECT, null, List.of(direct)))
        .isEqualTo("Directly: no relay leads there.");
    Candidate nothing = candidate(CandidateKind.DIRECT, List.of(), UNKNOWN, UNKNOWN);
    assertThat(words(Decision.UNDECIDED, null, List.of(nothing)))
        .isEqualTo("No way was found: the destination was not reached, and no relay leads there.");
  }

  /** Directly 60 s, through relays 15 s, and a rival. */
  private static String beside(CandidateKind kind, double seconds) {
    return words(Decision.CASCADE, RELAYS, besideRival(kind, seconds));
  }

  private static List<Candidate> besideRival(CandidateKind kind, double seconds) {
    return List.of(
        candidate(CandidateKind.DIRECT, List.of(), new Range(60.0, 60.0, 60.0), UNKNOWN),
        candidate(kind, List.of(), new Range(seconds, seconds, seconds), UNKNOWN),
        candidate(CandidateKind.CASCADE, RELAYS, new Range(15.0, 15.0, 15.0), UNKNOWN));
  }

  private static String seconds(Decision decision, Range direct, Range cascade) {
    return sentence(decision, direct, UNKNOWN, cascade, UNKNOWN);
  }

  private static String rates(Decision decision, Range direct, Range cascade) {
    return sentence(decision, UNKNOWN, direct, UNKNOWN, cascade);
  }

  private static String sentence(
      Decision decision, Range direct, Range directRate, Range cascade, Range cascadeRate) {
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(candidate(CandidateKind.DIRECT, List.of(), direct, directRate));
    candidates.add(candidate(CandidateKind.CASCADE, RELAYS, cascade, cascadeRate));
    return words(decision, RELAYS, candidates);
  }

  private static String words(
      Decision decision, @Nullable List<String> relays, List<Candidate> candidates) {
    return new PlanSentence(decision, relays, candidates, 0.73).words();
  }

  private static Candidate candidate(
      CandidateKind kind, List<String> relays, Range seconds, Range rate) {
    return Candidate.builder()
        .kind(kind)
        .connections(kind == CandidateKind.PARALLEL_DIRECT ? 4 : null)
        .relays(relays)
        .chosen(false)
        .secondsLow(seconds.low())
        .seconds(seconds.likely())
        .secondsHigh(seconds.high())
        .bitsPerSecondLow(rate.low())
        .bitsPerSecond(rate.likely())
        .bitsPerSecondHigh(rate.high())
        .hops(List.of())
        .build();
  }
}
