package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.RateSpan;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.store.Migrations;
import io.cascade.orchestrator.store.Transactions;
import io.cascade.orchestrator.time.ManualTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

@NullUnmarked
class ChainRatesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID OTHER = new UUID(0, 2);

  private final ManualTime time = ManualTime.from(NOW);
  private final JdbcDataSource source = new JdbcDataSource();
  private Connection keepsIt;
  private ChainRates rates;
  private long seconds;

  @BeforeEach
  void start() throws SQLException {
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE");
    keepsIt = source.getConnection();
    Migrations.run(source, "latest");
    rates = started();
  }

  @AfterEach
  void dropTheDatabase() throws SQLException {
    keepsIt.close();
  }

  private ChainRates started() {
    return started(_ -> true);
  }

  private ChainRates started(Predicate<UUID> live) {
    return new ChainRates(store(), live, time.timekeeper());
  }

  private ChainRateStore store() {
    return new ChainRateStore(JdbcClient.create(source), new Transactions(source));
  }

  @Test
  void whatRelaysCountIsARateOfTheChainAndOfAllTogether() {
    at(0, ONE, "r2", 1_000);
    at(0, OTHER, "r3", 0);
    at(10, ONE, "r2", 2_000);
    at(10, OTHER, "r3", 500);
    until(30);

    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(800.0);
    assertThat(forward(rates.of(OTHER, HOUR))).containsExactly(400.0);
    assertThat(forward(rates.all(HOUR))).containsExactly(1_200.0);
    assertThat(rates.all(HOUR).spanSeconds()).isEqualTo(10);
  }

  @Test
  void aSpanIsShownOnceEveryRelayHasHadItsTurn() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);

    until(21);
    assertThat(rates.all(HOUR).spans()).isEmpty();
    until(22);
    assertThat(rates.all(HOUR).spans()).hasSize(1);
  }

  @Test
  void aRelayThatCountsAnewBeginsAnew() {
    at(0, ONE, "r2", 5_000);
    at(10, ONE, "r2", 1_000);
    at(20, ONE, "r2", 2_000);
    until(60);

    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(800.0);
  }

  @Test
  void anotherLastRelayCountsFromWhereItIs() {
    at(0, ONE, "r2", 1_000);
    at(10, ONE, "r4", 900_000);
    at(20, ONE, "r4", 901_000);
    until(60);

    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(800.0);
  }

  @Test
  void aSilenceOfMinutesIsAGap() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    at(300, ONE, "r2", 900_000);
    at(310, ONE, "r2", 901_000);
    until(400);

    assertThat(rates.of(ONE, HOUR).spans())
        .extracting(RateSpan::start)
        .containsExactly(NOW, NOW.plusSeconds(300));
  }

  @Test
  void aStepOfTheTimeOfDayNeitherLosesNorInventsAnything() {
    at(0, ONE, "r2", 0);
    time.step(Duration.ofHours(1));
    at(10, ONE, "r2", 1_000);
    time.step(Duration.ofHours(-2));
    at(20, ONE, "r2", 2_000);
    until(40);

    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(800.0, 800.0);
    assertThat(rates.of(ONE, HOUR).spans().getFirst().start())
        .as("by the time of day as it is now")
        .isEqualTo(NOW.minus(Duration.ofHours(1)));
  }

  @Test
  void aChainThatHasEndedIsForgottenAndStaysInTheSum() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    until(30);

    rates.retain(OTHER::equals);

    assertThat(rates.of(ONE, HOUR).spans()).isEmpty();
    assertThat(forward(rates.all(HOUR))).containsExactly(800.0);
  }

  @Test
  void aRestartKeepsThePastHour() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    at(3_600, ONE, "r2", 1_000);
    at(3_610, ONE, "r2", 3_000);
    at(3_620, ONE, "r2", 4_000);
    rates.save(NOW.plusSeconds(3_620));
    rates.save(NOW.plusSeconds(3_620));

    rates = started();
    at(3_640, ONE, "r2", 9_000);
    at(3_650, ONE, "r2", 9_500);
    until(3_680);

    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(1_600.0, 800.0, 400.0);
    assertThat(forward(rates.all(HOUR))).containsExactly(1_600.0, 800.0, 400.0);
    rates.save(NOW.plusSeconds(3_660));
    assertThat(forward(started().of(ONE, HOUR))).containsExactly(1_600.0, 800.0, 400.0);
  }

  @Test
  void aRestartKeepsNothingOfChainsThatHaveEnded() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    until(40);
    rates.save(NOW.plusSeconds(10));
    Instant later = NOW.plusSeconds(20);
    List<ChainRateStore.Row> ended =
        IntStream.range(0, 5_000)
            .mapToObj(chain ->
                new ChainRateStore.Row(
                    new UUID(1, chain), new CarriedBytes.Carried(later, 1_000, 0)))
            .toList();
    store().replace(RateResolution.HOUR, later, ended, NOW);
    UUID last = ended.getLast().chain();
    List<UUID> passedOn = new ArrayList<>();

    store()
        .restore(
            RateResolution.HOUR,
            NOW,
            NOW.plusSeconds(40),
            last::equals,
            row -> passedOn.add(row.chain()));
    rates = started(ONE::equals);

    assertThat(passedOn).containsExactly(last);
    assertThat(rates.of(last, HOUR).spans()).isEmpty();
    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(800.0);
    assertThat(forward(rates.all(HOUR))).containsExactly(800.0);
  }

  @Test
  void aDayIsKeptInSpansOfTwoMinutesAcrossRestarts() {
    at(0, ONE, "r2", 0);
    at(40, ONE, "r2", 3_000);
    at(80, ONE, "r2", 15_000);
    rates.save(NOW.plusSeconds(80));
    rates = started();
    at(90, ONE, "r2", 15_000);
    at(120, ONE, "r2", 30_000);
    at(180, ONE, "r2", 31_500);
    until(12 * 3_600);
    rates.stop();
    rates = started();

    RateHistory day = rates.all(DAY);

    assertThat(day.spanSeconds()).isEqualTo(120);
    assertThat(day.spans())
        .containsExactly(
            new RateSpan(NOW, 8 * 30_000 / 120.0, 0.0),
            new RateSpan(NOW.plusSeconds(120), 8 * 1_500 / 120.0, 0.0));
    assertThat(rates.of(ONE, DAY)).isEqualTo(day);
    assertThat(rates.all(HOUR).spans()).isEmpty();
    assertThat(rates.all(Duration.ofHours(6)).spans()).isEmpty();
    until(25 * 3_600);
    assertThat(rates.all(DAY).spans()).isEmpty();
  }

  @Test
  void anAnswerIsBounded() {
    for (int second = 0; second <= 26 * 3_600; second += 30) {
      at(second, ONE, "r2", second);
    }

    assertThat(rates.of(ONE, DAY).spans()).hasSizeBetween(715, 720);
    assertThat(rates.of(ONE, HOUR).spans()).hasSizeBetween(355, 360);
    assertThat(rates.of(ONE, Duration.ofMinutes(10)).spans()).hasSize(60);
  }

  @Test
  void aRestartWithinASpanGoesOnWithIt() {
    at(0, ONE, "r2", 0);
    at(3, ONE, "r2", 300);
    rates.stop();

    rates = started();
    at(5, ONE, "r2", 1_000);
    at(8, ONE, "r2", 1_300);
    rates.stop();
    rates = started();
    until(30);

    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(480.0);
    assertThat(forward(rates.all(HOUR))).containsExactly(480.0);
  }

  @Test
  void whatWasCountedBeforeTheClockWasSetBackIsForgottenByARestart() {
    at(0, ONE, "r2", 0);
    at(10, ONE, "r2", 1_000);
    at(60, ONE, "r2", 1_000);
    rates.stop();

    time.step(Duration.ofSeconds(-50));
    rates = started();
    until(90);
    assertThat(forward(rates.of(ONE, HOUR))).containsExactly(800.0, 0.0);

    time.step(Duration.ofHours(-1));
    assertThat(started().of(ONE, HOUR).spans()).isEmpty();
    time.step(Duration.ofHours(1));
    assertThat(started().of(ONE, HOUR).spans()).isEmpty();
  }

  @Test
  void aSlowRelaysCountIsStoredWithAllSpansThatItIsSpreadOver() {
    at(0, ONE, "r2", 0);
    at(59, OTHER, "r3", 0);
    rates.save(NOW.plusSeconds(59).minus(ChainRates.MOST_BETWEEN));
    at(60, ONE, "r2", 6_000);
    until(130);
    rates.save(NOW.plusSeconds(130).minus(ChainRates.MOST_BETWEEN));

    assertThat(forward(started().of(ONE, HOUR))).containsOnly(800.0).hasSize(6);
  }

  private void until(long second) {
    time.pass(Duration.ofSeconds(second - seconds));
    seconds = second;
  }

  private void at(long second, UUID chain, String relay, long forwardBytes) {
    until(second);
    rates.counted(
        chain,
        relay,
        StreamTotals.builder()
            .running(1L)
            .opened(1L)
            .completed(0L)
            .failed(0L)
            .forwardBytes(forwardBytes)
            .backwardBytes(0L)
            .inlets(List.of())
            .outlets(List.of())
            .build());
  }

  private static Iterable<Double> forward(RateHistory history) {
    return history.spans().stream().map(RateSpan::forwardBitsPerSecond).toList();
  }
}
