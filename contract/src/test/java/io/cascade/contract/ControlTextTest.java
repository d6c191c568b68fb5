package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Candidate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ControlTextTest {
  @Test
  void aChangeUpToTheDestinationIsNamedByItsBeginning() {
    assertThat(words("-", "bbr")).isEqualTo(", BBR from r1 on");
    assertThat(words("-", "-", "bbr")).isEqualTo(", BBR from r2 on");
  }

  @Test
  void otherChangesAreNamedByTheirHops() {
    assertThat(words("-", "bbr", "-")).isEqualTo(", BBR on r1→r2");
    assertThat(words("-", "bbr", "cubic")).isEqualTo(", BBR on r1→r2, CUBIC on r2→destination");
  }

  @Test
  void nothingIsSaidWhereNothingChanges() {
    assertThat(words("-", "-")).isEmpty();
  }

  /** A control for each hop that its sender does not usually use, or "-". */
  private static String words(String... controls) {
    List<Map<String, Object>> hops =
        IntStream.range(0, controls.length)
            .mapToObj(i -> hop(i, controls.length, controls[i]))
            .toList();
    Candidate candidate =
        Json.strict()
            .convertValue(
                Map.of("kind", "CASCADE", "relays", List.of(), "chosen", true, "hops", hops),
                Candidate.class);
    assertThat(Arrays.asList(controls)).hasSameSizeAs(candidate.hops());
    return ControlText.of(candidate);
  }

  private static Map<String, Object> hop(int index, int hops, String control) {
    Map<String, Object> hop = new HashMap<>();
    hop.put("from", index == 0 ? "source" : "r" + index);
    hop.put("to", index == hops - 1 ? "destination" : "r" + (index + 1));
    hop.put("basis", "");
    hop.put("congestionControl", control.equals("-") ? "reno" : control);
    if (!control.equals("-")) {
      hop.put("usualCongestionControl", "reno");
    }
    return hop;
  }
}
