package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.cascade.it.Chromium.Visit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The dashboard's modules by themselves, in a browser and without an orchestrator. The page comes
 * by plain HTTP from a host that is not this one, so it is no secure context.
 */
@Timeout(60)
class DashboardModulesTest {
  private static final URI HOST = URI.create("http://dashboard.test");
  private static final String FILES = "/io/cascade/orchestrator/dashboard/";

  /** What {@link #silencing} begins with. */
  private static final List<String> EVERYTHING =
      List.of(
          "Relay r9 is lost",
          "Chain a could not be opened",
          "Chain b is degraded",
          "1 stream of chain b failed",
          "2 links are no longer measured",
          "r1→r2 delivers 0.4 of what the model says");

  @SuppressWarnings("NullAway.Init")
  private static Chromium browser;

  @SuppressWarnings("NullAway.Init")
  private static Visit visit;

  @BeforeAll
  static void openAnEmptyPage() {
    browser = Chromium.start();
    visit = browser.visit(HOST);
    Page page = visit.page();
    page.route(HOST + "/**", DashboardModulesTest::serve);
    page.navigate(HOST + "/ui/");
  }

  @AfterAll
  static void stop() {
    if (visit != null) {
      visit.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  private static void serve(Route route) {
    String path = URI.create(route.request().url()).getPath();
    Route.FulfillOptions answer = new Route.FulfillOptions();
    if (!path.endsWith(".js")) {
      route.fulfill(
          answer.setContentType("text/html").setBody("<!doctype html><title>Modules</title>"));
      return;
    }
    try (InputStream module =
        DashboardModulesTest.class.getResourceAsStream(FILES + path.substring("/ui/".length()))) {
      if (module == null) {
        route.fulfill(answer.setStatus(404));
      } else {
        route.fulfill(answer.setContentType("text/javascript").setBodyBytes(module.readAllBytes()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value of an expression in which {@code m} is the module. */
  private static Object of(String module, String expression) {
    return visit
        .page()
        .evaluate(
            "async () => { const m = await import('/ui/%s'); return %s; }"
                .formatted(module, expression));
  }

  @Test
  void aKeyNeedsNoSecureContext() {
    assertThat(visit.page().evaluate("isSecureContext")).isEqualTo(false);

    assertThat(of("text.js", "m.randomKey()")).asString().matches("[0-9a-f]{32}");
    assertThat(of("text.js", "m.randomKey() === m.randomKey()")).isEqualTo(false);
  }

  @Test
  void charactersThatDisturbTheTextAroundThemAreWrittenAsTheirNumbers() {
    assertThat(of("text.js", "m.visible('a\\u202eb\\u0007c\\u2066d\\u009be\\ufefff')"))
        .isEqualTo("a\\u202eb\\u0007c\\u2066d\\u009be\\ufefff");
    assertThat(of("text.js", "m.visible('Zürich → 東京 עברית')")).isEqualTo("Zürich → 東京 עברית");
    assertThat(of("text.js", "m.readJson('{\"chains\":[{\"name\":\"x\\\\u202ey\",\"n\":1}]}')"))
        .isEqualTo(Map.of("chains", List.of(Map.of("name", "x\\u202ey", "n", 1))));
  }

  @Test
  void aLinksLossIsTheEstimateWithTheCountsBehindIt() {
    String link =
        "{lossRate: 0.0012, probesSent: 400, probesLost: 0, evidence: ["
            + "{source: 'PROBE', sent: 400, lost: 0}, {source: 'TEST', sent: 9600.4, lost: 12}]}";

    assertThat(of("loss.js", "m.lossOf(" + link + ")")).isEqualTo(0.0012);
    assertThat(of("loss.js", "m.lossOf({probesSent: 0})")).isNull();
    assertThat(of("loss.js", "m.lossText(" + link + ")")).isEqualTo("0.12 %");
    assertThat(
            of("loss.js", "m.lossText({lossRate: 0.0081, lossRateLow: 0, lossRateHigh: 0.0587})"))
        .isEqualTo("none seen, below 5.87 %");
    assertThat(of("loss.js", "m.lossCounts(" + link + ")"))
        .isEqualTo("0 of 400 (probes), 12 of 9,600 (tests)");
  }

  /** Plans reckon with more than nothing where no packet was lost: that is no measurement. */
  @Test
  void whereNothingWasLostNoLossIsShown() {
    String link =
        "{from: 'a', to: 'b', lossRate: 0.0081, lossRateLow: 0, lossRateHigh: 0.0587,"
            + " probesSent: 61, probesLost: 0}";

    assertThat(of("loss.js", "m.seenLoss(" + link + ")")).isEqualTo(0);
    assertThat(of("loss.js", "m.seenLoss({lossRate: 0.0012, lossRateLow: 0.0005})"))
        .isEqualTo(0.0012);
    assertThat(of("loss.js", "m.predictedLoss({lossRate: 0.0081, probesSent: 61, probesLost: 0})"))
        .isEqualTo("none seen");
    assertThat(of("loss.js", "m.predictedLoss({lossRate: 0.02, probesSent: 50, probesLost: 1})"))
        .isEqualTo("2 %");
    assertThat(of("loss.js", "m.lostShare(" + link + ")")).isEqualTo(0);
    assertThat(of("loss.js", "m.lostShare({probesSent: 0})")).isNull();
  }

  @Test
  void aFasterWayWithoutRelaysIsFound() {
    String plan =
        "{relays: ['r1'], candidates: [{kind: 'DIRECT', relays: [], seconds: 60},"
            + " {kind: 'DIRECT_BBR', relays: [], seconds: %s},"
            + " {kind: 'CASCADE', relays: ['r1'], seconds: 15}]}";

    assertThat(of("prediction.js", "m.bestWithoutRelays(" + plan.formatted("5") + ").kind"))
        .isEqualTo("DIRECT_BBR");
    assertThat(of("prediction.js", "m.bestWithoutRelays(" + plan.formatted("15") + ")")).isNull();
    assertThat(of("prediction.js", "m.bestWithoutRelays({relays: null, candidates: []})")).isNull();
  }

  @Test
  void aWayThatNobodyTriedHasABoundAndNoEstimate() {
    assertThat(of("prediction.js", "m.untried({evidence: 'BOUND', bitsPerSecondLow: 3.4e6})"))
        .isEqualTo("at least 3.4 Mbit/s, untried");
    assertThat(of("prediction.js", "m.untried({evidence: 'BOUND'})")).isEqualTo("untried");
    assertThat(of("prediction.js", "m.untried({evidence: 'MEASURED', bitsPerSecondLow: 3.4e6})"))
        .isNull();
  }

  @Test
  void aRateIsOverASecondOrMore() {
    assertThat(
            of(
                "rates.js",
                """
                (() => {
                  const meter = new m.RateMeter();
                  const bytes = (n) => ({ forward: n, backward: 0 });
                  return [[bytes(0), 0], [bytes(500), 250], [bytes(2_000), 2_000], [bytes(2_100), 2_100],
                    [bytes(4_000), 4_000], [bytes(10), 6_000], [bytes(1_010), 7_000], [null, 9_000]]
                    .map(([counted, at]) => String(meter.look(counted, at)?.forward ?? meter.last?.forward));
                })()\
                """))
        .isEqualTo(
            List.of(
                "undefined",
                "undefined",
                "8000",
                "8000",
                "8000",
                "undefined",
                "8000",
                "undefined"));
  }

  @Test
  void aChartShowsTheLastMinutesAndNoEarlierValue() {
    String shown =
        """
        (() => {
          const points = [[0, 900], [600, null], [1190, 3], [1200, 5]].map(([s, v]) => ({ t: s * 1000, v }));
          const { from, now, shown, values } = m.latest(%s, [{ points }, { points: [] }]);
          return [from / 1000, now / 1000, shown(points).length, values].map(String);
        })()\
        """;

    assertThat(of("scales.js", shown.formatted("60")))
        .isEqualTo(List.of("0", "1200", "4", "900,3,5"));
    assertThat(of("scales.js", shown.formatted("15")))
        .isEqualTo(List.of("300", "1200", "3", "3,5"));
    assertThat(of("scales.js", "m.latest(15, [{ points: [{ t: 60_000, v: 1 }] }]).from"))
        .as("a minute, where nothing is older")
        .isEqualTo(0);
    assertThat(of("scales.js", "m.latest(15, []).values")).isEqualTo(List.of());
  }

  @Test
  void anAxisIsLogarithmicWhereOneValueWouldPressTheOthersFlat() {
    assertThat(of("scales.js", "m.estimateAxis([11, 26], [8, 30]).log")).isEqualTo(false);
    assertThat(of("scales.js", "m.estimateAxis([2.07, 26], [0.49, 960]).log")).isEqualTo(true);
    assertThat(of("scales.js", "m.estimateAxis([null], [null]).log")).isEqualTo(false);
    assertThat(of("scales.js", "m.estimateAxis([59, 13.7], [1, 4692], false, m.secondTicks).ticks"))
        .isEqualTo(List.of(1, 10, 60, 600, 3600));
    assertThat(of("scales.js", "m.historyAxis([40, 41, 40, 3000]).log")).isEqualTo(true);
    assertThat(of("scales.js", "m.historyAxis([0, 0, 0, 3000]).log")).isEqualTo(false);
  }

  @Test
  void aLogarithmicAxisHoldsEveryMarkInOrderAndEndsBeforeAnAbsurdBound() {
    assertThat(
            of(
                "scales.js",
                """
                (() => {
                  const axis = m.estimateAxis([2, 26], [0.0001, 1e12]);
                  const places = [0, 0.0001, 2, 26, 1e12].map(axis.at);
                  return [places[0] === 0, places[1] === 0, places[2] > 0.2, places[3] > places[2] + 0.1,
                    places[3] < 0.8, places[4] === 1, axis.beyond(1e12), axis.beyond(26)];
                })()\
                """))
        .isEqualTo(List.of(true, true, true, true, true, true, true, false));
  }

  @Test
  void anAxisGoesOnBeyondAnIntervalWithoutAnEnd() {
    assertThat((Double) of("scales.js", "m.estimateAxis([null, 20], [29.1, 18], true).at(29.1)"))
        .isCloseTo(0.8, within(1e-9));
  }

  @Test
  void rowsAreFoundByTheTextOfTheirColumns() {
    String rows =
        """
        m.found([{ name: 'fra', site: 'Frankfurt', age: 7 }, { name: 'nyc', site: 'New York', age: 17 }, { name: 'x' }],
          [{ by: (row) => row.name }, { by: (row) => row.site }, { cell: (row) => row.age }], %s).map((row) => row.name)\
        """;
    assertThat(of("rows.js", rows.formatted("' frank'"))).isEqualTo(List.of("fra"));
    assertThat(of("rows.js", rows.formatted("'N'"))).isEqualTo(List.of("fra", "nyc"));
    assertThat(of("rows.js", rows.formatted("'7'"))).isEqualTo(List.of());
    assertThat(of("rows.js", rows.formatted("''"))).isEqualTo(List.of("fra", "nyc", "x"));
  }

  @Test
  void aRelayIsUpAsItSaysOrSinceItRegisteredAndNotWhenItIsGone() {
    String uptime =
        "m.uptime({ status: '%s', registeredAt: '2026-01-01T00:00:00Z' }, %s, Date.UTC(2026, 0, 1, 2)) ?? null";
    assertThat(of("rows.js", uptime.formatted("UP", "9000.7"))).isEqualTo(9_000);
    assertThat(of("rows.js", uptime.formatted("UP", "undefined"))).isEqualTo(7_200);
    assertThat(of("rows.js", uptime.formatted("LOST", "9000"))).isNull();
  }

  @Test
  void aNumberIsRoundedBeforeItsUnitIsChosen() {
    assertThat(of("format.js", "[179.7, 3599.6, 0.9997, 0.00099972].map(m.seconds)"))
        .isEqualTo(List.of("3 min 0 s", "1 h 0 min", "1 s", "1 ms"));
    assertThat(of("format.js", "[999.4e3, 999.7e3].map(m.rate)"))
        .isEqualTo(List.of("999 kbit/s", "1 Mbit/s"));
    assertThat(of("format.js", "m.bytes(1023.8 * 1024)")).isEqualTo("1 MiB");
  }

  @Test
  void anIntervalWithoutAnEndIsSaidInWords() {
    assertThat(of("format.js", "m.span(29.1e6, null, m.rate)")).isEqualTo("at least 29.1 Mbit/s");
    assertThat(of("format.js", "m.span(undefined, 20, m.seconds)")).isEqualTo("at most 20 s");
    assertThat(of("format.js", "m.span(1, 3, m.times)")).isEqualTo("1× … 3×");
    assertThat(of("format.js", "m.estimate(29.1e6, null, null, m.rate)"))
        .isEqualTo(Map.of("value", "at least 29.1 Mbit/s", "range", ""));
    assertThat(of("format.js", "m.estimate(null, 5, null, m.seconds)"))
        .isEqualTo(Map.of("value", "5 s", "range", ""));
    assertThat(of("format.js", "m.estimate(5, 5, 5, m.seconds)"))
        .isEqualTo(Map.of("value", "5 s", "range", ""));
    assertThat(of("format.js", "m.estimate(4, 5, null, m.seconds)"))
        .isEqualTo(Map.of("value", "5 s", "range", "at least 4 s"));
  }

  @Test
  void aChainIsComparedWithWhatIsKnownOfTheDirectPath() {
    assertThat(verdict("bitsPerSecondLow: 4e6")).isEqualTo("no clear gain at most 2×");
    assertThat(verdict("bitsPerSecondLow: 16e6")).isEqualTo("not helping at most 0.5×");
    assertThat(verdict("bitsPerSecondHigh: 4e6")).isEqualTo("helping at least 2×");
    assertThat(verdict("bitsPerSecond: 4e6, bitsPerSecondLow: 2e6")).isEqualTo("no clear gain 2×");
    assertThat(verdict("bitsPerSecond: 4e6")).isEqualTo("helping 2×");
    assertThat(verdict("")).isEqualTo("no comparison");
  }

  @Test
  void theHopsOfARouteHaveAddressesAcrossSegmentsAndPipes() {
    assertThat(ofSplit("routeHops(chain).map(h => `${h.address} ${h.from} ${h.to}`)"))
        .isEqualTo(
            List.of(
                "0.0.0 source a", "1.0.0 a b", "1.0.1 b c", "1.1.0 a c", "2.0.0 c destination"));
    assertThat(ofSplit("linkHops(chain).map(h => h.address)"))
        .isEqualTo(List.of("1.0.0", "1.0.1", "1.1.0"));
    assertThat(ofSplit("[m.firstRelay(chain), m.lastRelay(chain)]")).isEqualTo(List.of("a", "c"));
    assertThat(of("route.js", "m.routeHops({ relays: ['r1'] }).map(h => h.address)"))
        .as("of a chain that has no route yet")
        .isEqualTo(List.of("0.0.0", "0.0.1"));
    assertThat(of("route.js", "m.routeHops({ relays: [] })")).isEqualTo(List.of());
  }

  @Test
  void pipesBesideEachOtherStandInRowsOfTheirOwnWithNumbers() {
    assertThat(ofSplit("m.routeRows(chain).map(r => `${r.name}: ${r.addresses.join(' ')}`)"))
        .isEqualTo(List.of(": 0.0.0", "pipe 1: 1.0.0 1.0.1", "pipe 2: 1.1.0", ": 2.0.0"));
    assertThat(of("route.js", "m.routeRows({ relays: ['r1', 'r2'] })"))
        .isEqualTo(List.of(Map.of("name", "", "addresses", List.of("0.0.0", "0.0.1", "0.0.2"))));
  }

  @Test
  void aFullBufferTellsWhereDataWaitsWhereNothingElseDoes() {
    String relay = "{budget: 8388608, running: 1, held: %s}";
    String hops =
        "[{from: 'source', to: 'r1', relay: null}, {from: 'r1', to: 'r2', relay: %s},"
            + " {from: 'r2', to: 'destination', relay: %s}]";
    assertThat(
            of(
                "buffers.js",
                "m.lastFull("
                    + hops.formatted(relay.formatted("7444890"), relay.formatted("0"))
                    + ").from"))
        .isEqualTo("r1");
    assertThat(
            of(
                "buffers.js",
                "m.lastFull("
                    + hops.formatted(relay.formatted("100"), relay.formatted("0"))
                    + ") ?? 'none'"))
        .isEqualTo("none");
  }

  /** The orchestrator tells a span of its history half a minute late. */
  @Test
  void aHistoryGoesOnWithWhatThePageSees() {
    assertThat(
            of(
                "rates.js",
                """
                (() => {
                  const points = (...times) => times.map((t) => ({ t, forward: 1, backward: 0 }));
                  const told = (past, own, now) => m.joined(points(...past), points(...own), now)
                    .map(({ t, forward, past }) => `${t}${forward === null ? ' gap' : ''}${past ? ' past' : ''}`);
                  return [told([10_000, 20_000, 50_000], [48_000, 50_000], 52_000), told([1_000], [90_000], 90_000)];
                })()\
                """))
        .isEqualTo(
            List.of(
                List.of("10000 past", "20000 past", "48000", "50000"),
                List.of("1000 past", "1000 gap past", "90000")));
  }

  /**
   * A day of means, then every look of the page since: without a hole and without anything twice.
   */
  @Test
  void aLongRangeIsWhatTheOrchestratorRemembersAndThenWhatThePageSaw() {
    String told =
        """
        (() => {
          const spans = (...starts) => ({ spanSeconds: 120, spans: starts.map((start) =>
            ({ start: new Date(start * 1e3).toISOString(), forwardBitsPerSecond: 1, backwardBitsPerSecond: 0 })) });
          const own = (...times) => times.map((t) => ({ t: t * 1e3, forward: 2, backward: 0 }));
          return m.continued(m.remembered(%s), own(%s))
            .map(({ t, forward }) => `${t / 1e3}${forward === null ? ' gap' : ''}`);
        })()\
        """;
    assertThat(of("rates.js", told.formatted("spans(0, 120, 240)", "340, 358, 362, 364")))
        .isEqualTo(List.of("60", "180", "300", "362", "364"));
    assertThat(of("rates.js", told.formatted("spans(0, 240)", "401")))
        .as("nobody was heard, and nobody looked")
        .isEqualTo(List.of("60", "120 gap", "300", "360 gap", "401"));
    assertThat(of("rates.js", told.formatted("spans()", "5, 7"))).isEqualTo(List.of("5", "7"));
    assertThat(of("rates.js", told.formatted("spans(0)", ""))).isEqualTo(List.of("60"));
  }

  @Test
  void theRangeThatWasChosenIsKeptByTheBrowserAndAnythingElseThereIsNone() {
    assertThat(
            of(
                "ranges.js",
                """
                (() => {
                  localStorage.clear();
                  const told = [m.rangeOr(15)];
                  localStorage.setItem('cascade.range', '7');
                  told.push(m.rangeOr(1440));
                  localStorage.setItem('cascade.range', '360');
                  told.push(m.rangeOr(15));
                  m.chooseRange(60);
                  told.push(m.rangeOr(15), localStorage.getItem('cascade.range'));
                  return told;
                })()\
                """))
        .isEqualTo(List.of(15, 1440, 360, 60, "60"));
  }

  @Test
  void idsInEventsAreShort() {
    assertThat(
            of(
                "format.js",
                "m.withShortIds('chain 30320bfd-2c7e-4c00-bd03-ffae48b0a56e is READY')"))
        .isEqualTo("chain 30320bfd is READY");
  }

  /** A chain that splits at a and combines at c. */
  private static Object ofSplit(String expression) {
    return of(
        "route.js",
        """
        (() => {
          const { routeHops, linkHops } = m;
          const pipe = (...nodes) => ({ hops: nodes.slice(1).map((to, i) => ({ from: nodes[i], to })) });
          const chain = { relays: ['a', 'b', 'c'], route: { segments: [
            { pipes: [pipe('source', 'a')] },
            { pipes: [pipe('a', 'b', 'c'), pipe('a', 'c')] },
            { pipes: [pipe('c', 'destination')] }] } };
          return %s;
        })()\
        """
            .formatted(expression));
  }

  /** The verdict on a chain that reached 8 Mbit/s. */
  private static Object verdict(String direct) {
    return of(
        "prediction.js",
        """
        (async () => {
          const { estimate, times } = await import('/ui/format.js');
          const chain = { relays: ['r1'], plan: { candidates: [{ kind: 'DIRECT', relays: [], hops: [], %s }] } };
          const streams = [{ state: 'COMPLETED', durationMillis: 2_000,
            relays: [{ relay: 'r1', forwardBytesOut: 2_000_000 }] }];
          const { word, factor } = m.verdict(chain, streams, null);
          return factor ? `${word} ${estimate(factor.low, factor.likely, factor.high, times).value}` : word;
        })()\
        """
            .formatted(direct));
  }

  @Test
  void thePipesOfSplittersAreCalledByTheSplitterAndInAChainByTheSide() {
    String splitters =
        """
        (() => {
          const pipe = (side, device, more) => ({ side, device, up: true, employed: true, ...more });
          const edge = { name: 'edge', lost: false, report: { pipes: [pipe('FAR', 'wan0', { peer: '192.0.2.7:7710' }),
            pipe('FAR', 'wan1', { up: false }), pipe('FAR', 'wan2', { up: false, employed: false })] } };
          const core = { name: 'core', lost: true, report: { pipes: [pipe('NEAR', 'lan0'), pipe('FAR', 'wan0')] } };
          return %s;
        })()\
        """;
    assertThat(of("splitters.js", splitters.formatted("m.pipesOf([edge, core]).map(p => p.label)")))
        .isEqualTo(
            List.of(
                "edge wan0 to 192.0.2.7:7710",
                "edge wan1",
                "edge wan2",
                "core near lan0",
                "core far wan0"));
    assertThat(of("splitters.js", splitters.formatted("m.pipesOf([edge]).map(m.pipeState)")))
        .isEqualTo(List.of("up", "down", "withdrawn"));
    assertThat(of("splitters.js", splitters.formatted("m.pipesOf([core]).map(p => p.lost)")))
        .isEqualTo(List.of(true, true));
    assertThat(of("splitters.js", splitters.formatted("[edge, core].map(m.delivering)")))
        .isEqualTo(List.of(1, 2));
  }

  /** The value of an expression about everything that may need attention at once. */
  private static Object silencing(String expression) {
    return of(
        "attention.js",
        """
        (async () => {
          localStorage.clear();
          const { silence, silences, endSilence } = await import('/ui/silences.js');
          const HOUR = 3_600_000;
          const start = Date.now();
          const live = ({ status = 'LOST', reason = 'r1 is lost', failed = 1, stale = ['a', 'b'], factor = 0.4 } = {}) => ({
            relays: [{ name: 'r9', status }],
            chains: [{ id: 'a', name: 'a', state: 'FAILED', updatedAt: new Date(start).toISOString() },
              { id: 'b', name: 'b', state: 'DEGRADED', relays: ['r1', 'r2'], reason }],
            links: stale.map((to) => ({ from: 'r1', to, stale: true })),
            corrections: [{ from: 'r1', to: 'r2', factor, streams: 3 }],
            details: new Map([['b', { id: 'b', relays: [], totals: [{ failed }] }]]),
            streams: new Map(),
          });
          const told = (state, after = 0) => m.attention(live(state), start + after).map((item) => item.what);
          const silenceAll = (state) => silence(m.attention(live(state), start), ' planned work ', HOUR, start);
          const silencedAll = (state) => m.silenced(live(state), start).map((one) => one.what);
          return %s;
        })()\
        """
            .formatted(expression));
  }

  @Test
  void everyEntryCanBeSilencedUntilItsTimeIsOver() {
    assertThat(silencing("told()")).isEqualTo(EVERYTHING);
    assertThat(silencing("(silenceAll(), [told(), silencedAll()])"))
        .isEqualTo(List.of(List.of(), EVERYTHING));
    // The failed opening is old by then.
    assertThat(silencing("(silenceAll(), [told({}, HOUR - 1).length, told({}, HOUR).length])"))
        .isEqualTo(List.of(0, 5));
    assertThat(silencing("(silenceAll(), silences(start).map((one) => one.reason)[0])"))
        .isEqualTo("planned work");
  }

  @Test
  void aSilenceThatIsEndedTellsAgain() {
    assertThat(silencing("(silenceAll(), endSilence('relay:r9'), [told(), silencedAll().length])"))
        .isEqualTo(List.of(List.of("Relay r9 is lost"), 5));
  }

  @Test
  void whatGetsWorseIsToldAgainBeforeItsTime() {
    assertThat(
            silencing(
                "(silenceAll({ status: 'SILENT' }), [told({ status: 'LOST' }), told({ status: 'SILENT' })])"))
        .isEqualTo(List.of(List.of("Relay r9 is lost"), List.of()));
    assertThat(silencing("(silenceAll(), told({ reason: 'r1 is lost; r2 is lost' }))"))
        .isEqualTo(List.of("Chain b is degraded"));
    assertThat(silencing("(silenceAll(), [told({ failed: 3 }), told({ failed: 2 })])"))
        .as("more than twice as many")
        .isEqualTo(List.of(List.of("3 streams of chain b failed"), List.of()));
    assertThat(silencing("(silenceAll({ reason: 'r12 is lost' }), told({ reason: 'r1 is lost' }))"))
        .as("a name that was part of another one")
        .isEqualTo(List.of("Chain b is degraded"));
    assertThat(silencing("(silenceAll(), [told({ stale: ['a', 'c'] }), told({ stale: ['b'] })])"))
        .as("another link, and fewer of them")
        .isEqualTo(List.of(List.of("2 links are no longer measured"), List.of()));
    assertThat(silencing("(silenceAll(), [told({ factor: 0.1 }), told({ factor: 0.3 })])"))
        .as("half as much, and about as much")
        .isEqualTo(List.of(List.of("r1→r2 delivers 0.1 of what the model says"), List.of()));
    assertThat(silencing("(silenceAll({ status: 'SILENT' }), silencedAll({ status: 'LOST' }))"))
        .as("what is told stands in one list alone")
        .isEqualTo(EVERYTHING.subList(1, EVERYTHING.size()));
  }

  @Test
  void aSilenceNeedsAReasonOfBoundedLength() {
    String attempt =
        """
        [' ', 'x'.repeat(201), 'x'.repeat(200)].map((reason) => {
          try {
            silence(m.attention(live()), reason, HOUR);
            return 'kept';
          } catch (failure) {
            return failure.message;
          }
        })\
        """;
    String refusal = "Give a reason, of 200 characters at most.";
    assertThat(silencing(attempt)).isEqualTo(List.of(refusal, refusal, "kept"));
    assertThat(
            silencing(
                "(localStorage.setItem('cascade.silences', '[1, {\"key\": 2}]'), told().length)"))
        .as("what something else kept there")
        .isEqualTo(6);
  }

  @Test
  void cellsOfAFileAreQuotedAndNoneIsRunByASpreadsheet() {
    assertThat(of("csv.js", "m.csv([['a', 'b,c'], ['say \"x\"', 'two\\nlines'], [null, NaN]])"))
        .isEqualTo("a,\"b,c\"\r\n\"say \"\"x\"\"\",\"two\nlines\"\r\n,\r\n");
    assertThat(of("csv.js", "m.csv([['=1+1', '+1', '-1', '@x', '=\"a,b\"', -1, 0.5]])"))
        .isEqualTo("'=1+1,'+1,'-1,'@x,\"'=\"\"a,b\"\"\",-1,0.5\r\n");
  }

  @Test
  void theFileOfATableHasWhatItShowsWithNumbersInTheirUnits() {
    assertThat(
            of(
                "csv.js",
                """
                (() => {
                  const table = document.createElement('table');
                  table.innerHTML = `<thead><tr><th>x</th></tr></thead><tbody>
                    <tr><th><span aria-hidden="true">●</span> up</th><td></td><td>3 B<br /><small>back 4 B</small></td><td>1 s</td><td>–</td></tr>
                    <tr><th>lost</th><td></td><td><time datetime="2026-11-30T12:00:00Z">noon</time></td><td>–</td><td>7</td></tr></tbody>`;
                  const columns = [{ head: 'State' }, { head: 'Past', drawn: true }, { head: 'Moved' },
                    { head: 'Time', unit: 'ms', by: (row) => row.millis }, { head: 'Count', unit: '', by: (row) => row.n }];
                  return m.csv(m.tableLines(columns, [{ millis: 1000.5 }, { n: 1234 }], table));
                })()\
                """))
        .isEqualTo(
            """
            State,Moved,Time (ms),Count\r
            up,3 B back 4 B,1000.5,\r
            lost,2026-11-30T12:00:00Z,,1234\r
            """);
  }

  @Test
  void theFileOfAChartHasAColumnForEachSeries() {
    assertThat(
            of(
                "csv.js",
                """
                m.csv(m.seriesLines([{ name: 'forth', points: [{ t: 0, v: 1.5 }, { t: 2000, v: null }] },
                  { name: 'back', points: [{ t: 1000, v: 2 }, { t: 2000, v: 0 }] }], 'bit/s'))\
                """))
        .isEqualTo(
            """
            time (UTC),forth (bit/s),back (bit/s)\r
            1970-01-01T00:00:00.000Z,1.5,\r
            1970-01-01T00:00:01.000Z,,2\r
            1970-01-01T00:00:02.000Z,,0\r
            """);
  }

  @Test
  void aFileIsCalledByItsViewAndTheTime() {
    String name = "m.fileName('%s', '%s', new Date(Date.UTC(2026, 10, 30, 12, 5, 9)))";
    assertThat(of("csv.js", name.formatted("#/links?show=loss", "Links")))
        .isEqualTo("links-20261130T120509Z.csv");
    assertThat(of("csv.js", name.formatted("#/", "Throughput of all chains")))
        .isEqualTo("overview-throughput-of-all-chains-20261130T120509Z.csv");
    assertThat(of("csv.js", name.formatted("#/relays/..%2F..%2Fetc", "Links of ../../etc")))
        .isEqualTo("relays-etc-links-of-..-..-etc-20261130T120509Z.csv");
  }

  /** As iperf3 does after each run. */
  @Test
  void streamsThatApplicationsResetAreNoFailuresAndCountForTheRate() throws Exception {
    assertThat(
            of(
                "attention.js",
                """
                m.attention({
                  chains: [{ id: 'b', name: 'b', state: 'READY', relays: [] }],
                  details: new Map([['b', { id: 'b', relays: [],
                    totals: [{ failed: 3, failures: { 'inlet-reset': 2, 'connect-timeout': 1 } },
                      { failed: 2, failures: { 'onward-reset': 2 } }] }]]),
                  streams: new Map(),
                }).map((item) => `${item.what}: ${item.more}`)\
                """))
        .isEqualTo(List.of("1 stream of chain b failed: connect-timeout 1"));
    assertThat(
            of(
                "prediction.js",
                """
                m.achieved({ relays: ['r1'] }, [{ state: 'FAILED', reason: 'inlet-reset', durationMillis: 1000,
                  relays: [{ relay: 'r1', forwardBytesOut: 2 << 20 }] }]).streams\
                """))
        .isEqualTo(1);
  }

  @Test
  void theBoxOfASiteHoldsNoRelayOfAnotherOne() {
    String boxes =
        """
        m.siteBoxes([{ name: 'a', site: 'oregon' }, { name: 'b', site: 'oregon' }, { name: 'c', site: 'tokyo' }],
          new Map([['a', [100, 100]], ['b', [500, 100]], ['c', [%s, 100]]])).map(b => `${b.site} ${b.width}`)\
        """;

    assertThat(of("placement.js", boxes.formatted("900")))
        .isEqualTo(List.of("oregon 496", "tokyo 96"));
    assertThat(of("placement.js", boxes.formatted("300")))
        .isEqualTo(List.of("oregon 96", "oregon 96", "tokyo 96"));
  }

  @Test
  void aNameOnTheMapStandsWhereNoLineLeads() {
    assertThat(degrees("[]")).isCloseTo(90, within(1e-9));
    assertThat(degrees("[[1, 0], [-1, 0]]")).isCloseTo(90, within(1e-9));
    assertThat(degrees("[[0, 1]]")).isCloseTo(-90, within(1e-9));
    assertThat(degrees("[[1, 1], [-1, 1], [0, 1]]")).isCloseTo(-90, within(1e-9));
  }

  private static double degrees(String others) {
    Number angle =
        (Number)
            of(
                "placement.js",
                """
                (() => {
                  const angle = m.freeDirection([0, 0], %s);
                  return Math.atan2(Math.sin(angle), Math.cos(angle)) * 180 / Math.PI;
                })()\
                """
                    .formatted(others));
    return angle.doubleValue();
  }

  @Test
  void noAddressBreaksThePage() {
    assertThat(of("addresses.js", "m.parse('#/relays/a%20b').parts"))
        .isEqualTo(List.of("relays", "a b"));
    assertThat(of("addresses.js", "m.parse('#/relays/100%').parts"))
        .isEqualTo(List.of("relays", "100%"));
    assertThat(of("addresses.js", "m.parse('#/relays/a%E2%80%AEb').parts"))
        .isEqualTo(List.of("relays", "a\\u202eb"));
  }

  @Test
  void aStreamIsNamedByTheEndOfItsId() {
    assertThat(of("format.js", "m.streamName('30320bfd-2c7e-4c00-bd03-ffae48b0a56e')"))
        .isEqualTo("…48b0a56e");
  }

  @Test
  void theShareOfATransferIsOfItsSize() {
    String shares =
        "[{size: 4, bytes: 1}, {size: 4, bytes: 9}, {size: 0, bytes: 0}, {bytes: 9}]"
            + ".map(m.done).map(String)";
    assertThat(of("transfers.js", shares)).isEqualTo(List.of("0.25", "1", "1", "undefined"));
    assertThat(
            of(
                "transfers.js",
                "[{owner: 'client/alice', client: '192.0.2.7'}, {client: '192.0.2.7'}]"
                    + ".map(m.sentBy)"))
        .isEqualTo(List.of("client/alice · 192.0.2.7", "192.0.2.7"));
  }
}
