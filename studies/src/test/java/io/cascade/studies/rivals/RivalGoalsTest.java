package io.cascade.studies.rivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.cascade.studies.rivals.RivalPath.Hop;
import io.cascade.studies.rivals.RivalPath.Udp;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RivalGoalsTest {
  private static final RivalPath LONG = path("long", 25_000_000);
  private static final RivalPath SMALL = path("small", 1_000_000);

  private static RivalPath path(String name, long bytes) {
    return new RivalPath(
        name,
        1,
        bytes,
        Udp.FREE,
        0,
        List.of(new Hop(RivalPath.SERVER, false, 20, 10, 0, 1, 25_000)));
  }

  @Test
  void theBestRivalIsTheQuickestOneWhoseEveryRunArrived() {
    RivalFindings findings =
        Times.of(LONG)
            .of(Competitor.SEND, 25, 25, 25)
            .of(Competitor.TCP, 24, 24, 24)
            .failed(Competitor.CROC, "no relay")
            .of(Competitor.BBR, 22, 22, 22)
            .findings();

    assertThat(findings.best()).contains(Competitor.BBR);
    assertThat(findings.overBest().orElseThrow().value()).isCloseTo(22 / 25.0, within(1e-9));
  }

  @Test
  void twoThatWereBothEndedAreNotCompared() {
    RivalFindings both =
        Times.of(LONG).cutOff(Competitor.SEND, 90).cutOff(Competitor.TCP, 90).findings();

    assertThat(both.overBest()).isEmpty();
    assertThat(rows(both)).noneMatch(row -> row.what().startsWith("rate over"));
    assertThat(both.words()).startsWith("send over 90.00 s, ");
    assertThat(
            rows(Times.of(LONG).cutOff(Competitor.SEND, 90).of(Competitor.BBR, 40).findings())
                .getFirst()
                .finding())
        .isEqualTo(Finding.MISSED);
  }

  @Test
  void oneRunThatWasEndedLeavesTheMedianOfTheOthers() {
    RivalFindings one =
        Times.of(LONG)
            .of(Competitor.SEND, 25, 25, 25)
            .cutOff(Competitor.BBR, 38)
            .of(Competitor.BBR, 22, 23)
            .findings();

    assertThat(one.isCutOff(Competitor.BBR)).isFalse();
    assertThat(one.median(Competitor.BBR)).isEqualTo(23);
    assertThat(
            Times.of(LONG)
                .cutOff(Competitor.BBR, 38, 38)
                .of(Competitor.BBR, 22)
                .findings()
                .isCutOff(Competitor.BBR))
        .isTrue();
  }

  @Test
  void aValueThatMissesAGoalWithinItsIntervalIsOpen() {
    assertThat(over(of(25, 25, 25), of(25, 25, 25)).finding()).isEqualTo(Finding.MET);
    assertThat(over(of(24, 27, 30), of(24, 25, 26)).finding()).isEqualTo(Finding.OPEN);
    assertThat(over(of(30, 30.1, 30.2), of(20, 20.1, 20.2)).finding()).isEqualTo(Finding.MISSED);
    assertThat(over(of(30), of(20)).finding()).isEqualTo(Finding.MISSED);
    assertThat(over(of(20), of(20)).finding()).isEqualTo(Finding.MET);
  }

  @Test
  void aShareOfPathsIsMetByValuesAndMissedByIntervals() {
    assertThat(Finding.of(95, 5, 100, 0.95)).isEqualTo(Finding.MET);
    assertThat(Finding.of(94, 5, 100, 0.95)).isEqualTo(Finding.OPEN);
    assertThat(Finding.of(94, 6, 100, 0.95)).isEqualTo(Finding.MISSED);
    assertThat(Finding.of(9, 0, 10, 1)).isEqualTo(Finding.OPEN);
  }

  @Test
  void aPathOnWhichSendFailedReachesNothing() {
    RivalFindings failed =
        Times.of(LONG).failed(Competitor.SEND, "reset").of(Competitor.TCP, 25).findings();

    assertThat(rows(failed)).allMatch(row -> row.finding() == Finding.MISSED);
    assertThat(failed.words()).isEqualTo("send failed: reset");
  }

  @Test
  void onlyLongTransfersThatTheMachineDidNotLimitCountForTheBound() {
    String bound = "share of the bound, paths whose bound is 10 s or longer";

    assertThat(Bound.seconds(LONG)).isGreaterThan(20);
    assertThat(rows(Times.of(LONG).of(Competitor.SEND, 21).findings()))
        .anyMatch(row -> row.what().equals(bound) && row.finding() == Finding.MET);
    assertThat(rows(Times.of(LONG).of(Competitor.SEND, 40, 40.1).findings()))
        .anyMatch(row -> row.what().equals(bound) && row.finding() == Finding.MISSED);
    assertThat(rows(Times.of(LONG).busy(Competitor.SEND, 40).findings()))
        .noneMatch(row -> row.what().equals(bound));
    assertThat(rows(Times.of(SMALL).of(Competitor.SEND, 40).findings()))
        .noneMatch(row -> row.what().equals(bound));
  }

  @Test
  void smallFilesMayTakeTheStartOfAProcessAndThirtyMillisecondsMoreThanAConnection() {
    assertThat(small(0.31, 0.2, 0.09)).isEqualTo(Finding.MET);
    assertThat(small(0.35, 0.2, 0.09)).isEqualTo(Finding.MISSED);
  }

  private static Finding small(double send, double start, double plain) {
    return rows(
            Times.of(SMALL)
                .of(Competitor.SEND, send)
                .of(Competitor.TCP, plain)
                .start(start)
                .findings())
        .stream()
        .filter(row -> row.what().startsWith("files up to 2 MB"))
        .map(Goal::finding)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theDemosPathHasGoalsInSeconds() {
    List<Goal> rows =
        rows(
            Times.of(RivalPath.demo(20_000_000)).of(Competitor.SEND, 2.5).findings(),
            Times.of(RivalPath.demo(10_000_000)).of(Competitor.SEND, 1.8).findings());

    assertThat(rows)
        .extracting(Goal::what, Goal::goal, Goal::found, Goal::finding)
        .contains(
            tuple("the demo's path, 20 MB: seconds", "≤ 2.6", "2.500", Finding.MET),
            tuple("the demo's path, 10 MB: seconds", "≤ 1.7", "1.800", Finding.MISSED));
  }

  @Test
  void aFilterOfUdpMayCostThreeSecondsOfTheTimeWithUdp() {
    RivalPath blocked = RivalPath.demoWithoutUdp(20_000_000);
    RivalPath policed = RivalPath.demoWithLittleUdp(20_000_000);
    List<Goal> rows =
        rows(
            Times.of(RivalPath.demo(20_000_000)).of(Competitor.SEND, 4.5).findings(),
            Times.of(blocked).of(Competitor.SEND, 7.4).findings(),
            Times.of(policed).of(Competitor.SEND, 7.7).findings());

    assertThat(rows)
        .extracting(Goal::what, Goal::found, Goal::finding)
        .contains(
            tuple(
                "the demo's path, 20 MB, UDP blocked: seconds above those with UDP",
                "2.900",
                Finding.MET),
            tuple(
                "the demo's path, 20 MB, UDP policed to 1 Mbit/s: seconds above those with UDP",
                "3.200",
                Finding.MISSED));
    assertThat(rows(Times.of(blocked).of(Competitor.SEND, 4.5).findings()))
        .noneMatch(row -> row.what().endsWith("beyond those with UDP"));
  }

  @Test
  void aProcessThatDoesNothingMayTakeFourTenthsOfASecond() {
    assertThat(process(0.39)).isEqualTo(Finding.MET);
    assertThat(process(0.41)).isEqualTo(Finding.MISSED);
  }

  private static Finding process(double start) {
    return rows(Times.of(SMALL).of(Competitor.SEND, 1).start(start).findings()).stream()
        .filter(row -> row.what().startsWith("a process"))
        .map(Goal::finding)
        .findFirst()
        .orElseThrow();
  }

  private static double[] of(double... seconds) {
    return seconds;
  }

  private static Goal over(double[] ours, double[] theirs) {
    return rows(Times.of(LONG).of(Competitor.SEND, ours).of(Competitor.TCP, theirs).findings())
        .getFirst();
  }

  private static List<Goal> rows(RivalFindings... paths) {
    return new RivalGoals(Arrays.asList(paths)).rows();
  }
}
