package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.receiver.Outcome;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final Outcome.Refused REFUSED =
      new Outcome.Refused("wrong key", "photos", "192.0.2.7:4411", "ann@den");

  private final Refusals refusals = new Refusals(0);

  @Test
  void aLineSaysWhoAndWhatAndWhy() {
    assertThat(refusals.line(REFUSED, 0))
        .hasValue("refused: photos, from ann@den at 192.0.2.7:4411: wrong key");
    assertThat(refusals.line(new Outcome.Refused("wrong\nkey", "192.0.2.7:4411"), 0).orElseThrow())
        .startsWith("refused: a sender from 192.0.2.7:4411: wrong")
        .doesNotContain("\n");
  }

  @Test
  void aFloodFillsNoLogAndIsCounted() {
    for (int i = 0; i < Refusals.MOST_AT_ONCE; i++) {
      assertThat(refusals.line(REFUSED, 0)).isPresent();
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(refusals.line(REFUSED, 0)).isEmpty();
    }

    long later = Refusals.EACH.toNanos();
    assertThat(refusals.line(REFUSED, later).orElseThrow()).endsWith("(and 1000 others before)");
    assertThat(refusals.line(REFUSED, later)).isEmpty();
    assertThat(refusals.line(REFUSED, 2 * later).orElseThrow()).endsWith("(and 1 others before)");
  }
}
