package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two transfers side by side, on a terminal and elsewhere. */
class ScoreboardTest {
  private static final long MIB = 1 << 20;

  private final StringWriter text = new StringWriter();
  private final Progress slow = new Progress("direct", 10 * MIB);
  private final Progress quick = new Progress("its own choice", 10 * MIB);

  @Test
  void lineHasTheShareTheRateAndTheTimeLeft() {
    slow.arrived(MIB, 1);
    slow.arrived(2 * MIB, 2);

    assertThat(Scoreboard.line(slow))
        .isEqualTo(
            "direct           [######........................]  20 %    2.00 MiB  8.39 Mbit/s  8 s left");
  }

  @Test
  void rateIsTheLatestAndNotTheAverage() {
    slow.arrived(0, 10);
    slow.arrived(MIB, 14);
    slow.arrived(2 * MIB, 15);

    assertThat(slow.bitsPerSecond()).isEqualTo(8.0 * 2 * MIB / 5);
  }

  @Test
  void transferThatIsDoneShowsItsTimeAndItsAverage() {
    quick.arrived(MIB, 1);
    quick.done(4);

    assertThat(Scoreboard.line(quick))
        .contains("[##############################] 100 %")
        .contains("21.0 Mbit/s")
        .endsWith("done in 4.00 s");
  }

  @Test
  void transferThatStandsStillHasNoTimeLeft() {
    assertThat(Scoreboard.line(slow)).endsWith("0 bit/s");
    slow.arrived(MIB, 1);
    slow.arrived(MIB, 7);
    slow.arrived(MIB, 13);

    assertThat(Scoreboard.line(slow)).doesNotContain("left");
  }

  @Test
  void aFewFirstBytesAreNoForecast() {
    slow.arrived(10, 4);

    assertThat(Scoreboard.line(slow)).endsWith("20.0 bit/s");
  }

  @Test
  void whatHasArrivedAndIsNotConfirmedHasNoTimeLeft() {
    slow.arrived(MIB, 1);
    slow.arrived(10 * MIB, 2);

    assertThat(Scoreboard.line(slow)).endsWith("being confirmed");
  }

  @Test
  void bytesNeverGoBack() {
    slow.arrived(MIB, 1);
    slow.arrived(0, 2);

    assertThat(slow.bytes()).isEqualTo(MIB);
  }

  @Test
  void terminalIsRedrawnInPlaceAndNotesStayAbove() {
    Scoreboard board = board(true, 40);

    board.show(0);
    board.note("a note that is much longer than the terminal is wide");
    board.show(0.2);

    String clear = "\r\033[2K\033[1A\r\033[2K";
    assertThat(text.toString())
        .containsOnlyOnce(clear + "a note that is much longer than the te…\n")
        .doesNotEndWith("\n");
    assertThat(text.toString().lines().map(line -> line.replaceAll("\r?\033\\[[0-9]*[A-Z]", "")))
        .allMatch(line -> line.length() < 40);
  }

  @Test
  void elsewhereThereIsAPairOfLinesEveryFewSeconds() {
    Scoreboard board = board(false, 100);

    for (int second = 0; second <= 9; second++) {
      board.show(second);
    }

    assertThat(text.toString().lines()).hasSize(4).noneMatch(line -> line.contains("\033"));
  }

  private Scoreboard board(boolean terminal, int columns) {
    return new Scoreboard(new PrintWriter(text), terminal, columns, List.of(slow, quick));
  }
}
