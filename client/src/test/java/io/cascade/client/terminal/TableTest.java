package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables and times for people. */
class TableTest {
  private final Table table =
      new Table("name", ">rate", "?first", "?>second", "words")
          .row("r1", "1 Mbit/s", "aaaa", "bbbb", "one two three four five six seven")
          .row("r2", "12 Mbit/s", "a", "b", "short");

  @Test
  void whereThereIsRoomAllIsShown() {
    assertThat(lines(200))
        .containsExactly(
            "name       rate  first  second  words",
            "r1     1 Mbit/s  aaaa     bbbb  one two three four five six seven",
            "r2    12 Mbit/s  a           b  short");
  }

  @Test
  void theLastOptionalColumnIsLeftOutFirst() {
    assertThat(lines(60).getFirst()).isEqualTo("name       rate  first  words");
    assertThat(lines(50).getFirst()).isEqualTo("name       rate  words");
  }

  @Test
  void thenTextIsWrapped() {
    assertThat(lines(40))
        .containsExactly(
            "name       rate  words",
            "r1     1 Mbit/s  one two three four five",
            "                 six seven",
            "r2    12 Mbit/s  short");
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 s ago",
    "119,119 s ago",
    "120,2 min ago",
    "7199,119 min ago",
    "7200,2 h ago",
    "172799,47 h ago",
    "172800,2 d ago",
    "-5,0 s ago"
  })
  void timesAreAges(long seconds, String words) {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(Quantities.ago(now.minusSeconds(seconds), now)).isEqualTo(words);
  }

  private List<String> lines(int most) {
    StringWriter out = new StringWriter();
    table.print(new PrintWriter(out), "", most);
    return out.toString().lines().toList();
  }
}
