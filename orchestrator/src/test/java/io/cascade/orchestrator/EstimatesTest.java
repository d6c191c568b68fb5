package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Estimate;
import io.cascade.api.orchestrator.EstimateRequest;
import io.cascade.api.orchestrator.EstimatedHop;
import io.cascade.api.orchestrator.EstimatedWay;
import io.cascade.api.orchestrator.RateLimit;
import io.cascade.api.orchestrator.Rival;
import io.cascade.api.orchestrator.SenderModel;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the model says of a path that the request describes, over HTTP. */
@NullUnmarked
class EstimatesTest {
  private static final String PAPER =
      "\"path\":{\"rttMillis\":64,\"lossRate\":0.001,\"capacityBitsPerSecond\":32e6}";

  private static Rig rig;

  @BeforeAll
  static void start(@TempDir Path state) {
    rig = Rig.start(state);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void thePapersRunningCaseWithOneRelay() {
    Estimate estimate =
        estimate(
            "{\"model\":\"MATHIS\",\"constant\":1.224744871,"
                + PAPER
                + ",\"relays\":1,\"lossDivision\":\"SHARED\",\"bytes\":100000000}");

    EstimatedWay direct = estimate.direct();
    assertThat(direct.utilisation()).isCloseTo(0.219, within(0.001));
    assertThat(direct.limit()).isEqualTo(RateLimit.CONGESTION_CONTROL);
    assertThat(direct.setupSeconds() + direct.sendingSeconds() + direct.drainSeconds())
        .isCloseTo(direct.seconds(), within(1e-9));
    EstimatedWay cascade = estimate.cascade();
    assertThat(cascade.bitsPerSecond() / direct.bitsPerSecond())
        .isCloseTo(Math.pow(2, 1.5), within(0.001));
    assertThat(cascade.relayBufferBytes()).hasSize(1);
    assertThat(estimate.gain()).isBetween(2.5, 2.83);
    assertThat(estimate.rivals())
        .extracting(Rival::kind)
        .containsExactly(CandidateKind.PARALLEL_DIRECT, CandidateKind.DIRECT_BBR);
  }

  @Test
  void countedLossIsAnInterval() {
    Estimate estimate =
        estimate(
            "{\"model\":\"CUBIC\",\"hops\":["
                + "{\"rttMillis\":32,\"probesSent\":10000,\"probesLost\":31,\"model\":\"BBR\","
                + "\"capacityBitsPerSecond\":1e9},"
                + "{\"rttMillis\":32,\"probesSent\":10000,\"probesLost\":31}]}");

    EstimatedWay cascade = estimate.cascade();
    assertThat(cascade.bitsPerSecondLow()).isLessThan(cascade.bitsPerSecond());
    assertThat(cascade.bitsPerSecondHigh()).isGreaterThan(cascade.bitsPerSecond());
    assertThat(cascade.hops())
        .extracting(EstimatedHop::model)
        .containsExactly(SenderModel.BBR, SenderModel.CUBIC);
    assertThat(cascade.hops()).extracting(EstimatedHop::bottleneck).containsExactly(false, true);
    assertThat(cascade.seconds()).isNull();
  }

  @Test
  void theClientAsksTheSame() {
    EstimateRequest request = Json.strict().readValue(minimal(), EstimateRequest.class);

    assertThat(rig.client().estimate(request)).isEqualTo(estimate(minimal()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"model\":\"CUBIC\",\"path\":{\"rttMillis\":1,\"lossRate\":0}}",
        "{\"model\":\"BBR\",\"path\":{\"rttMillis\":1,\"lossRate\":1},\"bytes\":1}",
        "{\"model\":\"PFTK\",\"path\":{\"rttMillis\":1,\"lossRate\":1},\"bytes\":1000000000000000000}",
        "{\"model\":\"MATHIS\",\"path\":{\"rttMillis\":3600000,\"lossRate\":0},\"relays\":15,"
            + "\"lossDivision\":\"UNCHANGED\",\"bytes\":1000000000000000000,"
            + "\"forwarding\":\"CHUNKED\",\"chunkBytes\":1}",
        "{\"model\":\"MATHIS\",\"path\":{\"rttMillis\":64,\"lossRate\":0.001},\"relays\":1,"
            + "\"lossDivision\":\"SHARED\",\"bytes\":1000,\"variant\":\"AS_PUBLISHED\"}",
      })
  void theExtremesHaveAnAnswerWithoutInfinities(String body) {
    Rig.Response answer = rig.call("POST", "/api/v1/estimates", body);

    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain("Infinity", "NaN", "null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                      | model
          {"model":"VEGAS"}                       | model: VEGAS (expected one of: MATHIS, RENO, PFTK, CUBIC, BBR, BBR3)
          {"model":"CUBIC"}                       | path: none (expected: a path, or hops that make one)
          {"model":"CUBIC","path":{"lossRate":0}} | rttMillis
          {"model":"CUBIC","path":{"rttMillis":0,"lossRate":0}}  | path.rttMillis: must be greater than 0
          {"model":"CUBIC","path":{"rttMillis":64}}              | path.lossRate: none (expected: either
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":2}} | path.lossRate: must be less than or equal to 1
          {"model":"CUBIC","path":{"rttMillis":64,"probesSent":1,"probesLost":2}} | path.probesLost: 2 of 1
          {"model":"CUBIC","path":{"rttMillis":64,"probesLost":2}} | path.lossRate: none
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0,"capacityBitsPerSecond":0}} | path.capacityBitsPerSecond: must be greater than 0
          {"model":"CUBIC","hops":[{"rttMillis":64,"lossRate":0},{"rttMillis":-1,"lossRate":0}]} | hops[1].rttMillis: must be greater than 0
          {"model":"CUBIC","hops":[null]}         | hops[0] (expected: an object)
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"relays":1} | lossDivision: none (expected: SHARED or UNCHANGED
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"relays":16} | relays
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"bytes":0}  | bytes
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"constant":-1}  | constant: must be greater than 0
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"ackEvery":3}  | ackEvery
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"chunkBytes":1}  | chunkBytes: 1 (expected: with forwarding CHUNKED
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"forwarding":"STORE","windows":1}  | windows: 1.0 (expected: none with
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"variant":"AS_PUBLISHED"}  | variant: as-published (expected: with model mathis
          {"model":"CUBIC","path":{"rttMillis":64,"lossRate":0},"speed":1} | speed: not a property
          """)
  void whatIsWrongIsNamedWithWhatIsExpected(String body, String words) {
    Rig.Response answer = rig.call("POST", "/api/v1/estimates", body);

    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.type()).isEqualTo("application/problem+json");
    assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:invalid-request");
    assertThat(answer.problem().detail()).contains(words);
  }

  @Test
  void moreThanSixteenHopsAreRefused() {
    String hop = "{\"rttMillis\":1,\"lossRate\":0}";
    Rig.Response answer =
        rig.call(
            "POST",
            "/api/v1/estimates",
            "{\"model\":\"CUBIC\",\"hops\":[" + (hop + ",").repeat(16) + hop + "]}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem().detail()).contains("hops");
  }

  private static String minimal() {
    return "{\"model\":\"CUBIC\"," + PAPER + "}";
  }

  private static Estimate estimate(String body) {
    Rig.Response answer = rig.call("POST", "/api/v1/estimates", body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return Json.strict().readValue(answer.body(), Estimate.class);
  }
}
