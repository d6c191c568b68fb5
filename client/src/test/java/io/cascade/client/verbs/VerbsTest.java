package io.cascade.client.verbs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.PipeScheduler;
import io.cascade.api.orchestrator.Problem;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.client.ClientFailures;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.ways.TemporaryChain;
import io.cascade.command.Verbs;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** Every verb as a person meets it: what it prints where, and how it exits. */
@Timeout(60)
class VerbsTest {
  @TempDir Path folder;

  private final Map<String, String> environment = new HashMap<>();
  private FakeOrchestrator orchestrator;

  @SuppressWarnings("NullAway.Init")
  VerbsTest() {}

  @ParameterizedTest
  @ValueSource(strings = {"http://control.example.net:7400", "HTTP://192.0.2.1:7400"})
  void aTokenGoesBeyondThisMachineInClearOnlyWhereThatIsWanted(String url) {
    environment.put("CASCADE_ORCHESTRATOR", url);
    environment.put("CASCADE_TOKEN", "a-secret");

    Run run = run("relays");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err())
        .hasLineCount(1)
        .contains(url + ": the token would be sent in clear", "--tls off")
        .doesNotContain("a-secret");
  }

  @Test
  void withTlsOffATokenGoesAnywhere() {
    // Whatever answers there, it is asked.
    environment.put("CASCADE_ORCHESTRATOR", "http://unknown.invalid:7400");
    environment.put("CASCADE_TOKEN", "a-secret");
    environment.put("CASCADE_TLS", "off");

    assertThat(run("relays").err()).contains("unknown.invalid").doesNotContain("in clear");
  }

  @BeforeEach
  void startOrchestrator() throws IOException {
    orchestrator = new FakeOrchestrator();
    environment.put("CASCADE_ORCHESTRATOR", orchestrator.url());
    environment.put("XDG_CONFIG_HOME", folder.toString());
  }

  @AfterEach
  void stopOrchestrator() throws IOException {
    orchestrator.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan --to 127.0.0.1:9 --probes 2 --json",
        "open --to 127.0.0.1:9 --via r1 --json",
        "chains --json",
        "chains --all --json",
        "relays --json",
        "links --json",
        "corrections --json",
        "advise --json",
        "advise db.example.org:5432 --json",
        "events --json",
        "stats --json",
        "tune r1 --json",
        "close --all --json",
        "version --json",
      })
  void jsonIsOneDocumentAndNothingElse(String line) {
    Run run = run(line.split(" "));

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.json().isObject()).isTrue();
  }

  @Test
  void statsNamesTheHopThatHoldsAChainUp() {
    Run run = run("stats", "--once", "--interval", "1s");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out)
        .contains("rates over 2.00 s")
        .contains("nightly")
        .contains("forward 8.00 Mbit/s, backward 0 bit/s, predicted for one stream 9.00 Mbit/s")
        .contains("bottleneck: the hop from r1 to destination")
        .containsPattern("\\* +r1 -> destination +9.00 Mbit/s +20.0 ms +19.0 ms +1.00 %")
        .contains("10/90/0 %");
    assertThat(orchestrator.calls)
        .as("the first look has no rates")
        .containsExactly("GET /api/v1/statistics", "GET /api/v1/statistics");
  }

  @Test
  void tuneChangesWhatItIsToldAndShowsTheRest() {
    Run run = run("tune", "r1", "--max-streams", "7", "--memory", "8MiB");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out)
        .contains("r1: at most 7 streams, 8.00 MiB held, 4.00 MiB of one stream; drains for 30 s");
    assertThat(run("tune", "r1").out).isEqualTo(run.out);
    assertThat(orchestrator.calls)
        .containsExactly("PATCH /api/v1/relays/r1/limits", "GET /api/v1/relays/r1/limits");
  }

  @Test
  void drainLastsUntilItIsEnded() {
    assertThat(run("drain", "r1").out).isEqualToIgnoringNewLines("r1 DRAINING");
    assertThat(run("drain", "r1", "--end").out).isEqualToIgnoringNewLines("r1 UP");
    assertThat(orchestrator.calls)
        .containsExactly("PUT /api/v1/relays/r1/draining", "DELETE /api/v1/relays/r1/draining");
  }

  @Test
  void jsonOfAChainAndItsStreams() {
    run("open", "--to", "127.0.0.1:9", "--via", "r1", "--name", "mine");

    assertThat(run("chain", "mine", "--json").json().get("name").asString()).isEqualTo("mine");
    assertThat(run("streams", "mine", "--json").json().get("streams").size()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan --to 127.0.0.1:9 --probes 2",
        "open --to 127.0.0.1:9 --via r2",
        "advise",
        "chains",
        "chain mine",
        "streams mine",
        "relays",
        "links",
        "corrections",
        "events",
        "close mine",
        "version",
      })
  void textIsForPeople(String line) {
    run("open", "--to", "127.0.0.1:9", "--via", "r1", "--name", "mine");

    Run run = run(line.split(" "));

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan --to 127.0.0.1:9",
        "open --to 127.0.0.1:9",
        "open --to 127.0.0.1:9 --via r1",
        "chains",
        "chain x",
        "streams x",
        "relays",
        "links",
        "events",
        "events --follow",
        "close x",
        "close --all --json",
      })
  void anAbsentOrchestratorIsOneLineThatNamesTheFix(String line) throws IOException {
    environment.put("CASCADE_ORCHESTRATOR", "http://127.0.0.1:" + ReservedPort.untilTheEnd());

    Run run = run(line.split(" "));

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err.lines())
        .singleElement()
        .asString()
        .contains("no answer from http://127.0.0.1:")
        .contains("connection refused; fix: start one with ./cascade orchestrator, or name yours")
        .contains("--orchestrator URL or CASCADE_ORCHESTRATOR");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan",
        "plan --to nowhere",
        "plan --to 127.0.0.1:99999",
        "plan --to 127.0.0.1:9 --bytes many",
        "plan --to 127.0.0.1:9 --bytes 0",
        "open --to 127.0.0.1:9 --bytes 0",
        "plan --to 127.0.0.1:9 --probes 1001",
        "plan --to 127.0.0.1:9 --test 16",
        "plan --to b --from a --topology network.json --test",
        "plan --to 127.0.0.1:9 --probes -1",
        "plan --to 127.0.0.1:9 --capacity fast",
        "open",
        "open --to 127.0.0.1:9 --setup SIDEWAYS",
        "open --to 127.0.0.1:9 --nagle --no-delay",
        "open --to 127.0.0.1:9 --warm x",
        "open --to 127.0.0.1:9 --allow-source office",
        "open --to 127.0.0.1:9 --scheduler sideways",
        "close",
        "close --all x",
        "advise nowhere",
        "advise --limit 0",
        "open --to 127.0.0.1:9 --try=31",
        "open --to 127.0.0.1:9 --try --via r1",
        "open --to 127.0.0.1:9 --pipe r1",
        "open --to 127.0.0.1:9 --pipe r1,r2 --via r1,r2",
        "open --to 127.0.0.1:9 --pipe r1,r2 --parallel 2",
        "open --to 127.0.0.1:9 --pipe r1,r2 --try",
        "open --to 127.0.0.1:9 --pipe r1,r2 --avoid r3 --from r1",
        "chain",
        "relays --orchestrator nonsense",
        "relays --unknown",
        "send",
        "send x",
        "send x --to 127.0.0.1:9 --direct --cascade",
        "send x --to 127.0.0.1:9 --direct --avoid r1 --max-relays 2",
        "send x 127.0.0.1:9/4f7k-q2mz --to 127.0.0.1:9",
        "send x 127.0.0.1:9/4f7k-q2mz --key-file k",
        "send x 127.0.0.1:9/4f7k",
        "send x 127.0.0.1:9",
        "receive --open-to-anyone --key-file k",
        "receive --listen nowhere",
        "receive --listen 70000",
      })
  void misuseExitsWithTwoAndSaysHow(String line) {
    Run run = run(line.split(" "));

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.out).isEmpty();
    assertThat(run.err.lines()).hasSize(2);
    assertThat(run.err).contains("--help").doesNotContain("Exception");
    assertThat(orchestrator.calls).isEmpty();
  }

  @Test
  void whatWasMistypedIsGuessed() {
    assertThat(run("opne", "--to", "127.0.0.1:9").err)
        .contains("no verb 'opne'; did you mean open?");
    assertThat(run("relays", "--orchestratr", "x").err)
        .contains("no option '--orchestratr'; did you mean --orchestrator?");
    assertThat(run("frobnicate").err).contains("no verb 'frobnicate'").doesNotContain("mean");
    assertThat(run("relays", "r1").err).contains("'r1' is one argument too many");
  }

  @Test
  void aNameThatMeansNothingAnywhereIsNotPlanned() {
    orchestrator.cascade = List.of();

    Run run = run("plan", "--to", "nohost.invalid:9", "--probes", "2");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err)
        .contains("nohost.invalid: no such host: the name resolves neither here nor at a relay");
  }

  @Test
  void aNameThatOnlyRelaysKnowIsPlanned() {
    assertThat(run("plan", "--to", "nohost.invalid:9", "--probes", "2").exit).isZero();
  }

  @Test
  void aPlanBeginsWithASentence() {
    orchestrator.decision = Decision.CASCADE;

    assertThat(run("plan", "--to", "127.0.0.1:9", "--bytes", "1MiB", "--probes", "2").out.lines())
        .element(1)
        .asString()
        .startsWith("The fake decides. Measured ");
  }

  @Test
  void openOpensWhatItsPlanExpectsToPay() {
    orchestrator.decision = Decision.CASCADE;

    Run run = run("open", "--to", "127.0.0.1:9", "--probes", "2");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).contains("plan: The fake decides.");
    assertThat(orchestrator.opened)
        .singleElement()
        .satisfies(one -> assertThat(one.via()).as("the planner chooses").isNull());
    assertThat(orchestrator.planned.getFirst().measureSeconds()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"DIRECT,false", "DIRECT,true", "UNDECIDED,false"})
  void openRefusesWhatItsPlanDoesNotAndSaysWhatOpensIt(Decision decision, boolean tries) {
    orchestrator.decision = decision;

    Run run =
        tries
            ? run("open", "--to", "127.0.0.1:9", "--probes", "2", "--try")
            : run("open", "--to", "127.0.0.1:9", "--probes", "2");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err)
        .contains("not opened. The fake decides.")
        .contains("--via r1,r2 opens it anyway");
    assertThat(run.err.contains("--try measures for 5 s"))
        .isEqualTo(decision == Decision.UNDECIDED);
    assertThat(orchestrator.opened).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"--try,5", "--try=2.5,2.5"})
  void openTriesWhatIsUndecidedAfterMeasuring(String option, double seconds) {
    orchestrator.decision = Decision.UNDECIDED;

    Run run = run("open", option, "--to", "127.0.0.1:9", "--probes", "2");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(orchestrator.planned.getFirst().measureSeconds()).isEqualTo(seconds);
    assertThat(orchestrator.opened).hasSize(1);
    assertThat(run.err).contains("opened to try: ./cascade stats shows what it carries");
  }

  @Test
  void planTestsBothWaysToAReceiverAndPlansAgain() throws Exception {
    try (ReceivingPort port = receiver()) {
      Run run = run("plan", "--to", port.address().toString(), "--probes", "2", "--test", "3");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.err)
          .contains("testing the direct way for 3 s")
          .contains("testing the way via r1, r2 for 3 s");
      assertThat(orchestrator.planned).hasSize(2);
      assertThat(orchestrator.reported)
          .extracting(TransferReport::relays)
          .containsExactly(null, List.of("r1", "r2"));
      assertThat(orchestrator.chains.values())
          .extracting(Chain::state)
          .containsOnly(ChainState.CLOSED);
    }
  }

  @Test
  void planNamesTheWaysThatItCannotTest() {
    Run run = run("plan", "--to", "127.0.0.1:9", "--probes", "2", "--test");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err)
        .contains("the direct way was not tested: cannot connect to 127.0.0.1:9")
        .contains(
            "the way to r1 was not tested: r1: streams of this relay move more than 1 Mbit/s");
    assertThat(orchestrator.reported).isEmpty();
  }

  @Test
  void planTestsOnceMoreWhatTheFirstTestsDidNotDecide() {
    orchestrator.decision = Decision.UNDECIDED;

    Run run = run("plan", "--to", "127.0.0.1:9", "--probes", "2", "--test");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(orchestrator.planned).as("before, between, after and compared").hasSize(4);
    assertThat(orchestrator.planned.getLast().compare()).isTrue();
    assertThat(orchestrator.planned.getLast().measureSeconds()).isZero();
    assertThat(orchestrator.planned.getFirst().compare()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"UNDECIDED,2", "DIRECT,1"})
  void relaysCompareWhatIsUndecidedOfTrafficThatStartsAtOne(Decision decision, int plans) {
    orchestrator.decision = decision;

    Run run = run("plan", "--to", "127.0.0.1:9", "--from", "r1", "--test");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).doesNotContain("testing the direct way");
    assertThat(run.err.contains("relays at both ends compare the two ways")).isEqualTo(plans > 1);
    assertThat(orchestrator.planned).hasSize(plans);
    assertThat(orchestrator.opened).isEmpty();
  }

  @Test
  void openAsksNoPlanOfNamedRelays() {
    assertThat(run("open", "--to", "127.0.0.1:9", "--via", "r1").exit).isZero();
    assertThat(orchestrator.planned).isEmpty();
  }

  @Test
  void openAsksForThePipesThatItIsGivenAndNoPlan() {
    Run run = run("open", "--to", "127.0.0.1:9", "--pipe", "r1,r2,r4", "--pipe", "r1,r3,r4");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(orchestrator.planned).isEmpty();
    assertThat(orchestrator.opened.getLast().pipes())
        .containsExactly(List.of("r1", "r2", "r4"), List.of("r1", "r3", "r4"));

    String[] parallel = "--via r1,r2 --parallel 4 --scheduler round-robin".split(" ", -1);
    List<String> line = new ArrayList<>(List.of("open", "--to", "127.0.0.1:9"));
    line.addAll(List.of(parallel));
    assertThat(run(line.toArray(String[]::new)).exit).isZero();
    assertThat(requireNonNull(orchestrator.opened.getLast().options()).scheduler())
        .isEqualTo(PipeScheduler.ROUND_ROBIN);
    assertThat(orchestrator.opened.getLast().parallel()).isEqualTo(4);
    assertThat(orchestrator.opened.getLast().pipes()).isNull();
  }

  @Test
  void theCommandThatAPlanOfSeveralPathsEndsWithOpensThem() {
    orchestrator.routes = List.of(List.of("r1", "r2", "r4"), List.of("r1", "r3", "r4"));

    Run plan = run("plan", "--to", "127.0.0.1:9", "--probes", "0", "--paths", "2");
    assertThat(plan.exit).as(plan.err).isZero();
    String command = plan.out.lines().toList().getLast().strip();
    assertThat(command)
        .isEqualTo("./cascade open --to 127.0.0.1:9 --pipe r1,r2,r4 --pipe r1,r3,r4");
    Run open = run(command.replace("./cascade ", "").split(" ", -1));

    assertThat(open.exit).as(open.err).isZero();
    assertThat(orchestrator.opened.getLast().pipes()).isEqualTo(orchestrator.routes);
    assertThat(run("plan", "--to", "127.0.0.1:9", "--probes", "0").out)
        .as("nobody asked for several paths")
        .doesNotContain("To install");
  }

  @Test
  void adviceIsALineForEachDestination() {
    Run run = run("advise");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out.replaceAll("\\s+", " "))
        .contains("db.example.org:5432 12 streams, 3.10 GiB, ")
        .contains(
            " ago; through den, sea: about 4 times as fast as direct (likely 3 to 5), 97 % sure;")
        .contains("seen: 6.50 Mbit/s directly, 26.1 Mbit/s through den, sea")
        .contains("web.example.org:443 1 stream, ")
        .contains("; direct is as good");
    assertThat(orchestrator.calls).containsExactly("GET /api/v1/advice?limit=20");
  }

  @Test
  void adviceOfOneDestinationThatNobodySawNamesTheWayToPlan() {
    Run run = run("advise", "[2001:db8::1]:9");

    assertThat(run.out).isEmpty();
    assertThat(run.err).contains("./cascade plan --to [2001:db8::1]:9");
    assertThat(orchestrator.calls)
        .containsExactly("GET /api/v1/advice?destination=%5B2001%3Adb8%3A%3A1%5D%3A9");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan --to 127.0.0.1:9 --probes 2",
        "chains",
        "streams mine",
        "relays",
        "links",
        "corrections",
        "stats --once --interval 1s",
      })
  void tablesFitAHundredColumns(String line) {
    run(
        ("open --to a-host-with-a-name.example.org:65535 --probes 0 --name mine --via"
                + " relay-frankfurt-1,relay-singapore-2")
            .split(" "));

    Run run = run(line.split(" "));

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out.lines()).allSatisfy(one -> assertThat(one.length()).isLessThan(101));
  }

  @Test
  void timesAreAges() {
    assertThat(run("relays").out).containsPattern("\\d+ d ago").doesNotContain("2026-01-01T");
    assertThat(run("corrections").out).containsPattern("\\d+ d ago");
  }

  @Test
  void whatOthersNamedMovesNoCursorAndTurnsNoText() {
    orchestrator.relayName = "r\u001b[2J\u202e1";

    assertThat(run("relays").out).contains("r [2J 1").doesNotContain("\u001b", "\u202e");
  }

  @ParameterizedTest
  @ValueSource(strings = {"send", "open", "plan"})
  void optionsThatAreUsedMostAreShownWithExamples(String verb) {
    assertThat(run(verb, "--help").out)
        .containsSubsequence(
            "Most used options (", "--to", "--orchestrator", "Examples:", "cascade " + verb);
  }

  @Test
  void aBorrowedChainIsRenewedWhileItIsUsedAndNotAfterwards() throws Exception {
    OrchestratorClient client = new OrchestratorClient(URI.create(orchestrator.url()), null);

    TemporaryChain.with(
        client,
        "send",
        name -> request(name),
        chain -> {
          String renewal = "POST /api/v1/chains/" + chain.id() + "/renewal";
          while (orchestrator.calls.stream().filter(renewal::equals).count() < 3) {
            Thread.sleep(1);
          }
          return chain;
        },
        Duration.ofMillis(1));

    assertThat(orchestrator.opened.getFirst().timeToLiveSeconds()).isEqualTo(30);
    assertThat(orchestrator.chains.values())
        .singleElement()
        .satisfies(chain -> assertThat(chain.state()).isEqualTo(ChainState.CLOSED));
  }

  private static ChainRequest request(String name) {
    return ChainRequest.builder()
        .destination("127.0.0.1:9")
        .name(name)
        .via(List.of("r1"))
        .timeToLiveSeconds(TemporaryChain.TIME_TO_LIVE_SECONDS)
        .build();
  }

  @Test
  void aProblemIsPrintedAsTheOrchestratorWordsIt() {
    orchestrator.problem =
        Problem.builder()
            .type("urn:x")
            .title("Unknown relay")
            .status(404)
            .detail("no relay is called r9")
            .build();

    Run run = run("open", "--to", "127.0.0.1:9", "--via", "r9");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).isEqualToNormalizingNewlines("cascade open: no relay is called r9\n");
  }

  @Test
  void aLinksPastIsShownInSteps() {
    assertThat(run("links", "--history", "r1,r2").out).contains("18.5 ms", "7/1000");
    assertThat(run("links", "--history", "r1").exit).isEqualTo(2);
  }

  @Test
  void linksShowWhatTheirEstimatesRestOn() {
    assertThat(run("links").out)
        .contains(
            "0.35 %", "at least 9.98 Mbit/s", "1000 probes (3/1000 lost) 2 s ago, 1 test (6/3300");
    assertThat(run("links", "--matrix").out)
        .contains("12.5 ms, 0.35 %, at least 9.98 Mbit/s, 1000 probes 2 s ago, 1 test 5 min ago");
  }

  @Test
  void aLinkIsTestedByHand() {
    assertThat(run("links", "--test", "r1,r2").out)
        .contains(
            "r1 to r2: 9.40 Mbit/s over 4.0 s with cubic, steady 9.20 Mbit/s",
            "sent again: 6 of 3300 segments",
            "round trip: 20.0 ms, under load 20.5 ms",
            "capacity of the link: at least 9.98 Mbit/s");
    assertThat(run("links", "--test", "r1").exit).isEqualTo(2);
  }

  @Test
  void aTrainShowsBothDirectionsApart() {
    assertThat(run("links", "--train", "r1,r2", "--rate", "20Mbit").out)
        .contains(
            "r1 to r2 and back: 1000 packets of 1472 bytes at 9.98 Mbit/s in 1.2 s, round trip 20.0 ms",
            "r1 to r2: 4 of 1000 lost, received at 9.90 Mbit/s",
            "r2 to r1: 90 of 996 lost",
            "it stood in a queue");
    assertThat(orchestrator.trains)
        .singleElement()
        .satisfies(train -> assertThat(train.bitsPerSecond()).isEqualTo(20_000_000));
    assertThat(run("links", "--train", "r1").exit).isEqualTo(2);
    assertThat(run("links", "--rate", "20Mbit").err).contains("--rate goes with --train");
  }

  @Test
  void whatWasLearnedIsShownAndForgotten() {
    assertThat(run("corrections").out).contains("x0.82", "x0.70", "14", "cubic");
    run("corrections", "--reset", "r1,r2");
    run("corrections", "--reset");

    assertThat(orchestrator.calls)
        .contains("DELETE /api/v1/corrections/r1/r2", "DELETE /api/v1/corrections");
    assertThat(run("corrections", "--reset", "r1").exit).isEqualTo(2);
  }

  @Test
  void aMissingTokenIsNamed() {
    orchestrator.problem =
        Problem.builder()
            .type("urn:x")
            .title("Unauthorized")
            .status(401)
            .detail("a token is wanted")
            .build();

    assertThat(run("relays").err).contains("--token or CASCADE_TOKEN");
    orchestrator.problem =
        Problem.builder()
            .type("urn:cascade:problem:unauthorized")
            .title("Unauthorized")
            .status(401)
            .detail("give --token or CASCADE_TOKEN")
            .build();

    assertThat(run("relays").err).as("advice once").containsOnlyOnce("CASCADE_TOKEN");
  }

  @Test
  void aRelayThatIsGoneCanBeForgotten() {
    Run run = run("relays", "--forget", "r1");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(orchestrator.calls).contains("DELETE /api/v1/relays/r1");
    assertThat(run.err).contains("relay r1 is forgotten");
  }

  @Test
  void anUnknownOptionIsNamedBeforeOneThatIsMissing() {
    Run run = run("plan", "--frmo", "r1");

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.err).contains("no option '--frmo'; did you mean --from?");
  }

  @Test
  void receiveThatCannotWriteInvitesNobody() {
    Run run = run("receive", "--listen", "127.0.0.1:0", "--output", "/proc");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).contains("nothing can be written to /proc");
    assertThat(run.out).isEmpty();
  }

  @Test
  void aDestinationThatIsNotAllowedIsNoMatterOfTheToken() {
    String detail = "r1: 10.0.0.5:80 is private; fix: start this relay with --allow-destination x";
    orchestrator.problem =
        Problem.builder()
            .type("urn:cascade:problem:destination-not-allowed")
            .title("Not allowed")
            .status(403)
            .detail(detail)
            .build();

    Run run = run("open", "--to", "10.0.0.5:80", "--via", "r1");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines()).singleElement().asString().contains(detail).doesNotContain("TOKEN");
  }

  @Test
  void theTokenTravels() {
    environment.put("CASCADE_TOKEN", "s3cret");
    run("relays");

    assertThat(orchestrator.tokens).containsExactly("Bearer s3cret");
  }

  @Test
  void aServerOfAnotherKindIsNamed() {
    Run run = run("relays", "--orchestrator", orchestrator.url() + "/elsewhere");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines()).hasSize(1);
  }

  @Test
  void openPrintsTheIngressAlone() {
    Run run = run("open", "--to", "127.0.0.1:9", "--via", "r1,r2", "--buffer", "1MiB", "--nagle");

    assertThat(HostPort.parse(run.out.strip()).host()).isEqualTo("127.0.0.1");
    assertThat(run.err).contains("via r1, r2").contains("1.5 RTT").contains("one relay after");
    assertThat(orchestrator.opened).hasSize(1);
    var request = orchestrator.opened.getFirst();
    assertThat(request.via()).containsExactly("r1", "r2");
    assertThat(request.source()).isNull();
    ChainOptions options = requireNonNull(request.options());
    assertThat(options.bufferBytes()).isEqualTo(1 << 20);
    assertThat(options.noDelay()).isFalse();
  }

  @Test
  void openPassesOnHowStreamsAreForwardedAndForHowLongTheyMayBeHalfClosed() {
    Run run =
        run(
            ("open --to 127.0.0.1:9 --via r1 --buffer 4MiB --chunk 1MiB --half-close-timeout 60"
                    + " --max-streams 7")
                .split(" "));

    assertThat(run.exit).as(run.err).isZero();
    ChainOptions options = requireNonNull(orchestrator.opened.getFirst().options());
    assertThat(options.maxStreams()).isEqualTo(7);
    assertThat(options.chunkBytes()).isEqualTo(1 << 20);
    assertThat(options.halfCloseTimeoutSeconds()).isEqualTo(60);
  }

  @Test
  void openSaysWhoseStreamsTheChainTakes() {
    Run run =
        run(
            "open --to 127.0.0.1:9 --via r1 --allow-source 10.0.0.0/8,2001:db8::7 --warm 2"
                .split(" "));

    assertThat(run.exit).as(run.err).isZero();
    ChainOptions options = requireNonNull(orchestrator.opened.getFirst().options());
    assertThat(options.allowSources()).containsExactly("10.0.0.0/8", "2001:db8:0:0:0:0:0:7/128");
    assertThat(options.warmConnections()).isEqualTo(2);
  }

  @Test
  void openWarnsOfACodedHopThatRunsOverPlainTcp() {
    orchestrator.fallsBack = true;

    Run coded = run("open", "--to", "127.0.0.1:9", "--via", "r1", "--transport", "coded");
    Run plain = run("open", "--to", "127.0.0.1:9", "--via", "r1");

    assertThat(coded.exit).as(coded.err).isZero();
    assertThat(coded.err)
        .contains(
            "warning: the hop from r1 to destination is not coded: the fake takes no session");
    assertThat(plain.err).doesNotContain("warning");
  }

  @Test
  void planWarnsOfACodedHopThatRunsOverPlainTcp() {
    orchestrator.fallsBack = true;
    orchestrator.decision = Decision.CASCADE;
    orchestrator.hopTransport = TransportChoice.CODED;
    run("open", "--to", "127.0.0.1:9", "--via", "r1");

    Run plan = run("plan", "--to", "127.0.0.1:9", "--probes", "2", "--transport", "coded");

    assertThat(plan.exit).as(plan.err).isZero();
    assertThat(plan.err).contains("warning: the hop from r1 to destination is planned as coded");
  }

  @Test
  void openPassesOnWhatSingleHopsHaveOtherwise() {
    Run run =
        run(
            ("open --to 127.0.0.1:9 --via r1,r2 --congestion-control cubic"
                    + " --hop 1:congestion-control=bbr,pacing-rate=50Mbit"
                    + " --hop 0:keep-alive=60,user-timeout=0")
                .split(" "));

    assertThat(run.exit).as(run.err).isZero();
    ChainOptions options = requireNonNull(orchestrator.opened.getFirst().options());
    assertThat(options.congestionControl()).isEqualTo("cubic");
    assertThat(options.hops())
        .containsExactly(
            HopOptions.builder()
                .hop(1)
                .congestionControl("bbr")
                .pacingBitsPerSecond(50_000_000L)
                .build(),
            HopOptions.builder().hop(0).keepAliveSeconds(60).userTimeoutSeconds(0).build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "bbr                 | 'bbr' (expected: HOP:OPTION=VALUE, such as 1:congestion-control=bbr)",
        "one:keep-alive=5    | 'one' (expected: the hop, counted from 0)",
        "1:                  | '' (expected: OPTION=VALUE, of congestion-control, keep-alive",
        "1:buffer=1MiB       | 'buffer=1MiB' (expected: OPTION=VALUE, of congestion-control",
        "1:keep-alive        | 'keep-alive' (expected: OPTION=VALUE",
        "1:keep-alive=1,keep-alive=2 | 'keep-alive=2' (expected: keep-alive once)",
        "1:user-timeout=long | 'long' (expected: user-timeout in seconds)",
        "1:pacing-rate=fast  | 'fast' (expected: a rate such as 100Mbit)",
      })
  void aHopsOptionsThatMakeNoSenseAreNamed(String text, String message) {
    Run run = run("open", "--to", "127.0.0.1:9", "--via", "r1,r2", "--hop", text);

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.err).contains(message);
    assertThat(orchestrator.opened).isEmpty();
  }

  @Test
  void planMeasuresFromThisHost() throws IOException {
    Run run;
    try (ServerSocket destination = new ServerSocket(0)) {
      run =
          run(
              "plan",
              "--to",
              "127.0.0.1:" + destination.getLocalPort(),
              "--bytes",
              "1GiB",
              "--probes",
              "5",
              "--capacity",
              "100Mbit");
    }
    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out)
        .contains("Plan for 1.00 GiB")
        .contains("via r1, r2")
        .contains("The fake decides. Measured ")
        .contains("Why: Directly 7.00 Mbit/s.")
        .contains("How sure: Relays are faster with a probability of 90.0 %.")
        .contains("Note: The fake measured nothing.")
        .contains("Decision: DIRECT\n");
    String own = KernelSettings.congestionControl();
    if (own != null) {
      assertThat(run.out).contains("direct path: " + own + ", this machine's default");
    }
    var request = orchestrator.planned.getFirst();
    assertThat(request.bytes()).isEqualTo(1 << 30);
    assertThat(request.capacityBitsPerSecond()).isEqualTo(100_000_000);
    Source source = requireNonNull(request.source());
    assertThat(source.observations())
        .extracting(Observation::to)
        .containsExactly("destination", "r1", "r2");
    assertThat(source.observations())
        .allMatch(seen -> seen.sent() == 5 && seen.lost() == 0 && seen.rttMillis() != null);
  }

  @Test
  void controlsLimitWhatThePlanMayUse() {
    for (String controls : List.of("reno,cubic", "own")) {
      run("plan", "--to", "127.0.0.1:9", "--from", "r1", "--controls", controls);
    }
    run("plan", "--to", "127.0.0.1:9", "--from", "r1");
    assertThat(orchestrator.planned.get(0).controls()).containsExactly("reno", "cubic");
    assertThat(orchestrator.planned.get(1).controls()).isEmpty();
    assertThat(orchestrator.planned.get(2).controls()).isNull();
  }

  @Test
  void planFromARelayMeasuresNothingHere() {
    run("plan", "--to", "127.0.0.1:9", "--from", "r1");

    Source source = requireNonNull(orchestrator.planned.getFirst().source());
    assertThat(source.relay()).isEqualTo("r1");
    assertThat(source.observations()).isNull();
    assertThat(orchestrator.calls).containsExactly("POST /api/v1/plans");
  }

  @Test
  void chainsAreFoundByNameAndByTheStartOfTheirId() {
    run("open", "--to", "127.0.0.1:9", "--via", "r1", "--name", "mine");
    UUID id = orchestrator.chains.keySet().iterator().next();

    assertThat(run("chain", id.toString().substring(0, 6)).out).contains(id.toString());
    assertThat(run("chain", id.toString()).out).contains(id.toString());
    assertThat(run("close", "mine").out).contains("CLOSED");
    Run unknown = run("chain", "zzz");
    assertThat(unknown.exit).isEqualTo(1);
    assertThat(unknown.err).contains("no chain has the name or an id that starts with 'zzz'");
  }

  @Test
  void aStartThatMayBeSeveralChainsIsRefused() {
    run("open", "--to", "127.0.0.1:9", "--via", "r1");
    run("open", "--to", "127.0.0.1:9", "--via", "r1");

    Run run = run("close", "");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).contains("give more of the id");
    assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.READY);
  }

  @Test
  void sendGoesDirectlyWhereThePlanSaysSo() throws Exception {
    Run run = send(Decision.DIRECT);

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).contains("sending directly");
    assertThat(run.out).contains("verified by the receiver");
    assertThat(orchestrator.opened).isEmpty();
  }

  @Test
  void sendThroughACascadeClosesItAfterwards() throws Exception {
    Run run = send(Decision.CASCADE, "--cascade");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).contains("plan: The fake decides.").contains("via r1, r2");
    assertThat(run.out).contains("predicted 600 ms");
    assertThat(orchestrator.chains.values())
        .singleElement()
        .matches(chain -> chain.state() == ChainState.CLOSED);
  }

  @Test
  void sendSharesAPipeBetweenBothWaysWhereThePlanIsUndecided() throws Exception {
    orchestrator.decision = Decision.UNDECIDED;
    byte[] content = new byte[12_000_000];
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Thread.ofVirtual()
        .start(() -> {
          try {
            Files.write(pipe, content);
          } catch (IOException e) {
            return; // The receiver finds too little.
          }
        });
    try (ReceivingPort port = receiver();
        SlowWire slow = SlowWire.to(port.address(), 1_000_000)) {
      orchestrator.forwardTo = port.address();
      Run run =
          run(
              "send",
              pipe.toString(),
              "--to",
              slow.address().toString(),
              "--probes",
              "3",
              "--json");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.err).contains("sending via r1, r2 as well");
      assertThat(run.json().get("bytes").asLong()).isEqualTo(content.length);
      assertThat(run.json().get("relayed").get("bytes").asLong()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsEmptyArrivesEmpty(boolean isPipe) throws Exception {
    Path empty = folder.resolve("empty");
    if (isPipe) {
      assertThat(new ProcessBuilder("mkfifo", empty.toString()).start().waitFor()).isZero();
      Thread.ofVirtual().start(() -> endAtOnce(empty));
    } else {
      Files.createFile(empty);
    }
    Files.createDirectories(folder.resolve("in"));
    try (ReceivingPort port = receiver()) {
      Run run = run("send", empty.toString(), "--to", port.address().toString(), "--probes", "2");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.out).contains("verified by the receiver");
      assertThat(folder.resolve("in/empty")).isEmptyFile();
    }
  }

  private static void endAtOnce(Path pipe) {
    try {
      Files.write(pipe, new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void rawSaysWhyItGoesOneWayWhereThePlanIsUndecided() throws Exception {
    orchestrator.decision = Decision.UNDECIDED;
    Path file = Files.write(folder.resolve("file"), new byte[1_000]);

    Run run = run("send", file.toString(), "--to", "127.0.0.1:9", "--raw", "--probes", "2");

    assertThat(run.exit).as("nobody listens").isEqualTo(Verbs.TRY_AGAIN);
    assertThat(run.err)
        .contains("--raw uses the direct way only, since only a cascade receive")
        .contains("./cascade plan --to 127.0.0.1:9 --test");
  }

  @ParameterizedTest
  @CsvSource({"--direct, 1000", "'--via=r1,r2', 3000000", "--name=file, 3000000"})
  void sendSaysThatNoReceiverAnswersWhereAnotherServerDoes(String option, int size)
      throws Exception {
    orchestrator.decision = Decision.UNDECIDED;
    orchestrator.destinationResets = true;
    Path file = Files.write(folder.resolve("file"), new byte[size]);
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> {
        while (!other.isClosed()) {
          try (Socket accepted = other.accept()) {
            accepted.setSoLinger(true, 0);
            int _ = accepted.getInputStream().read(); // It stands before it is reset.
          } catch (IOException e) {
            return;
          }
        }
      });

      String at = "127.0.0.1:" + other.getLocalPort();
      orchestrator.forwardTo = HostPort.parse(at);

      Run run = run("send", file.toString(), "--to", at, option, "--probes", "2");

      assertThat(run.exit).isEqualTo(1);
      assertThat(run.err)
          .contains("no cascade receive answers at " + at)
          .contains("fix: start ./cascade receive there");
    }
  }

  @Test
  void sendMeasuresNothingForASmallFile() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[100_000]);
    try (ReceivingPort port = receiver()) {
      Run run = run("send", file.toString(), "--to", port.address().toString(), "--json");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.json().get("route").asString()).isEqualTo("DIRECT");
      assertThat(orchestrator.planned).isEmpty();
      assertThat(port.ignored()).isZero();
    }
  }

  @Test
  void sendSharesAFileBetweenBothWays() throws Exception {
    orchestrator.decision = Decision.UNDECIDED;
    Path file = Files.write(folder.resolve("file"), new byte[3_000_000]);
    try (ReceivingPort port = receiver();
        SlowWire slow = SlowWire.to(port.address(), 100_000)) {
      orchestrator.forwardTo = port.address();
      Run run =
          run(
              "send",
              file.toString(),
              "--to",
              slow.address().toString(),
              "--probes",
              "3",
              "--json");

      assertThat(run.exit).as(run.err).isZero();
      JsonNode report = run.json();
      assertThat(report.get("route").asString()).isEqualTo("CASCADE");
      assertThat(report.get("why").asString())
          .contains("both ways carried it, relays the larger part");
      long direct = report.get("direct").get("bytes").asLong();
      long relayed = report.get("relayed").get("bytes").asLong();
      assertThat(direct + relayed).isGreaterThanOrEqualTo(3_000_000);
      assertThat(relayed).isGreaterThan(direct);
      assertThat(requireNonNull(orchestrator.opened.getFirst().question()).trial()).isTrue();
      assertThat(orchestrator.reported)
          .as("both ways, where they carried enough")
          .filteredOn(one -> one.relays() != null)
          .singleElement()
          .satisfies(one -> {
            assertThat(one.relays()).containsExactly("r1", "r2");
            assertThat(one.bytes()).isEqualTo(relayed);
            assertThat(one.destination()).isEqualTo(slow.address().toString());
          });
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
    }
  }

  @Test
  void sendGoesThroughRelaysBeforeThereIsAPlanWhereTheOrchestratorKnowsTheWay() throws Exception {
    orchestrator.hasStored = true;
    orchestrator.plans = new CountDownLatch(1);
    try {
      Run run = sendBeside(20_000_000);

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.json().get("route").asString()).isEqualTo("CASCADE");
      assertThat(orchestrator.planned).isEmpty();
      assertThat(orchestrator.opened)
          .extracting(opened -> requireNonNull(opened.question()).stored())
          .containsExactly(true);
      assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
    } finally {
      orchestrator.plans.countDown();
    }
  }

  @Test
  void aPlanThatIsCertainOfOtherRelaysReplacesTheProvisionalChain() throws Exception {
    orchestrator.decision = Decision.CASCADE;
    orchestrator.cascade = List.of("r2");
    planOnceAChainWasAskedFor();

    Run run = sendBeside(1_500_000);

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err)
        .contains("the plan chose other relays; opening another chain")
        .contains("sending via r1, r2 as well, not r2: the plan was made again for the chain");
    assertThat(orchestrator.opened)
        .extracting(opened -> requireNonNull(opened.question()).stored())
        .as("the plan's own stays, wherever it leads")
        .containsExactly(true, null);
    assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
  }

  @Test
  void anUndecidedPlanLeavesTheProvisionalChain() throws Exception {
    orchestrator.decision = Decision.UNDECIDED;
    orchestrator.cascade = List.of("r2");
    planOnceAChainWasAskedFor();

    Run run = sendBeside(1_500_000);

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).contains("which was opened before that plan");
    assertThat(orchestrator.opened).hasSize(1);
    assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
  }

  @Test
  void aPlanWithoutRelaysClosesTheProvisionalChain() throws Exception {
    orchestrator.decision = Decision.DIRECT;
    planOnceAChainWasAskedFor();

    Run run = sendBeside(1_500_000);

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).doesNotContain("lost the way");
    assertThat(orchestrator.opened).hasSize(1);
    assertThat(
            orchestrator.calls.stream()
                .map(call -> call.replaceAll("^(\\S+) /api/v1/([a-z]+).*", "$1 $2")))
        .as("closed while the direct way went on")
        .containsSubsequence("POST chains", "DELETE chains", "POST transfers");
  }

  /** Sends what takes the direct way seconds; the relays' way carries so many bytes a second. */
  private Run sendBeside(long bytesPerSecond) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[3_000_000]);
    try (ReceivingPort port = receiver();
        SlowWire direct = SlowWire.to(port.address(), 1_000_000);
        SlowWire relays = SlowWire.to(port.address(), bytesPerSecond)) {
      orchestrator.forwardTo = relays.address();
      Run run =
          run(
              "send",
              file.toString(),
              "--to",
              direct.address().toString(),
              "--probes",
              "3",
              "--json");
      if (run.exit == 0) {
        assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      }
      return run;
    }
  }

  private void planOnceAChainWasAskedFor() {
    orchestrator.hasStored = true;
    orchestrator.plans = new CountDownLatch(1);
    orchestrator.chainsReleasePlans = true;
  }

  @Test
  void sendGoesThroughRelaysWhereTheDestinationIsNotReachedDirectly() throws Exception {
    orchestrator.decision = Decision.CASCADE;
    Path file = Files.write(folder.resolve("file"), new byte[300_000]);
    int closed = ReservedPort.untilTheEnd();
    try (ReceivingPort port = receiver()) {
      orchestrator.forwardTo = port.address();
      Run run =
          run("send", file.toString(), "--to", "127.0.0.1:" + closed, "--probes", "3", "--json");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.json().get("route").asString()).isEqualTo("CASCADE");
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void whoDropsPacketsDoesNotKeepATransferThatRelaysCarried() throws Exception {
    orchestrator.decision = Decision.CASCADE;
    Path file = Files.write(folder.resolve("file"), new byte[3_000_000]);
    try (ReceivingPort port = receiver();
        SilentPort silent = SilentPort.open()) {
      orchestrator.forwardTo = port.address();
      Run run =
          run(
              "send",
              file.toString(),
              "--to",
              silent.address().toString(),
              "--probes",
              "3",
              "--json");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.json().get("route").asString()).isEqualTo("CASCADE");
      assertThat(run.err)
          .as("the direct connection is still tried for")
          .doesNotContain("no answer");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--probes 3", "--via r1,r2", "--cascade"})
  void aFolderGoesThroughRelaysAsWell(String way) throws Exception {
    orchestrator.decision = Decision.CASCADE;
    Path sent = Files.createDirectories(folder.resolve("photos"));
    Path file = Files.write(sent.resolve("file"), new byte[3_000_000]);
    Files.createDirectory(folder.resolve("in"));
    int closed = ReservedPort.untilTheEnd();
    try (ReceivingPort port = receiver()) {
      orchestrator.forwardTo = port.address();
      List<String> line = new ArrayList<>(List.of("send", sent.toString(), "--to"));
      line.add("127.0.0.1:" + closed);
      line.addAll(List.of(way.split(" ", -1)));
      line.add("--json");
      Run run = run(line.toArray(String[]::new));

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.json().get("route").asString()).isEqualTo("CASCADE");
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(folder.resolve("in/photos/file")).hasSameBinaryContentAs(file);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendOutlivesItsWayThroughRelays(boolean alone) throws Exception {
    orchestrator.decision = Decision.CASCADE;
    Path file = Files.write(folder.resolve("file"), new byte[4_000_000]);
    try (ReceivingPort port = receiver();
        SlowWire direct = SlowWire.to(port.address(), 500_000);
        SlowWire breaking = SlowWire.open(port.address(), 20_000_000, 900_000)) {
      orchestrator.forwardTo = breaking.address();
      List<String> line = new ArrayList<>(List.of("send", file.toString(), "--to"));
      line.add(direct.address().toString());
      line.addAll(alone ? List.of("--via", "r1,r2") : List.of("--probes", "3"));
      Run run = run(line.toArray(String[]::new));

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.err).contains("lost the way via r1, r2; trying again");
      assertThat(orchestrator.opened).as("the chain was there all the time").hasSize(1);
      Outcome.Ended outcome = port.next();
      assertThat(outcome).isInstanceOf(Outcome.Arrived.class);
      assertThat(((Outcome.Arrived) outcome).received().file()).hasSameBinaryContentAs(file);
      assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
    }
  }

  @Test
  void sendEndsWhereTheNamedRelaysDoNotReachTheDestination() throws Exception {
    int closed = ReservedPort.untilTheEnd();
    Path file = Files.write(folder.resolve("file"), new byte[300_000]);
    orchestrator.refusal = "files.example:9000: Connection refused";
    Run run = run("send", file.toString(), "--to", "127.0.0.1:" + closed, "--via", "r1,r2");

    assertThat(run.exit).isNotZero();
    assertThat(run.err)
        .contains(
            "via r1, r2 no data arrives:"
                + " connect-refused: files.example:9000: Connection refused");
    assertThat(orchestrator.opened).as("the first one was asked again").hasSize(1);
    assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
  }

  @Test
  void sendOpensAnotherChainWhenItsOwnIsGone() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[3_000_000]);
    try (ReceivingPort port = receiver();
        SlowWire breaking = SlowWire.open(port.address(), 20_000_000, 900_000)) {
      orchestrator.forwardTo = breaking.address();
      orchestrator.chainsVanish = true;
      Run run = run("send", file.toString(), "--to", port.address().toString(), "--via", "r1,r2");

      assertThat(run.exit).as(run.err).isZero();
      assertThat(run.err).contains("opening another chain");
      assertThat(orchestrator.opened).hasSizeGreaterThan(1);
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void sendAsksForPipesAndReportsNoRateOfThemForPlansAreMadeOfSingleConnections() throws Exception {
    Run run = sendBytes(2 << 20, "--via", "r1,r2", "--parallel", "3", "--scheduler", "duplicate");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(orchestrator.opened.getLast().parallel()).isEqualTo(3);
    assertThat(orchestrator.opened.getLast().routes()).isNull();
    assertThat(orchestrator.reported).isEmpty();
    Run both = run("send", "f", "--to", "127.0.0.1:9", "--parallel", "3", "--pipes", "2");
    assertThat(both.exit).isNotZero();
    assertThat(both.err).contains("leave one of them out");
  }

  @Test
  void sendReportsTheRateOfATransferThatWentOneWay() throws Exception {
    Run run = sendBytes(2 << 20, "--via", "r2");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(orchestrator.reported)
        .singleElement()
        .satisfies(one -> {
          assertThat(one.relays()).containsExactly("r2");
          assertThat(one.bytes()).isEqualTo(2 << 20);
          assertThat(one.bitsPerSecond()).isPositive();
        });
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void sendReportsWhatTheKernelCountedOfItsFirstLeg() throws Exception {
    Run run = sendBytes(2 << 20, "--via", "r2", "--json");

    assertThat(run.exit).as(run.err).isZero();
    TransferAccount account = Objects.requireNonNull(orchestrator.reported.getFirst().account());
    assertThat(account.sentSegments()).isPositive();
    assertThat(account.seconds()).isPositive();
    assertThat(account.congestionControl())
        .as("the host's, or the one that ends take where it is to be had")
        .isIn(KernelSettings.congestionControl(), "bbr");
    assertThat(run.json().get("account").get("sentSegments").asLong())
        .isEqualTo(account.sentSegments());
  }

  @Test
  void aRateThatNobodyTakesFailsNoTransferAndOfADirectOneNothingIsSaid() throws Exception {
    orchestrator.transfersStatus = 500;
    Run run = sendBytes(2 << 20, "--via", "r2");
    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).contains("the rate was not reported, so later plans do not use it");

    Files.delete(folder.resolve("in"));
    Run direct = sendBytes(2 << 20, "--direct");
    assertThat(direct.exit).isZero();
    assertThat(direct.err).doesNotContain("reported");
  }

  @Test
  void whatWentDirectlyBecauseItWasAskedForIsReportedToo() throws Exception {
    assertThat(sendBytes(2 << 20, "--direct").exit).isZero();

    assertThat(orchestrator.planned).isEmpty();
    assertThat(orchestrator.reported).hasSize(1);
    assertThat(orchestrator.reported.getFirst().relays()).isNull();
    assertThat(orchestrator.reported.getFirst().bytes()).isEqualTo(2 << 20);
  }

  private Run sendBytes(int bytes, String... more) throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[bytes]);
    try (ReceivingPort port = receiver()) {
      List<String> line =
          new ArrayList<>(List.of("send", file.toString(), "--to", port.address().toString()));
      line.addAll(List.of(more));
      Run run = run(line.toArray(String[]::new));
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      return run;
    }
  }

  @Test
  void whatOnlyRelaysDoIsNotDroppedInSilence() throws Exception {
    assertThat(send(Decision.DIRECT, "--congestion-control", "bbr").err).contains("via r1, r2");
    String file = folder.resolve("file").toString();
    Run run = run("send", file, "--to", "127.0.0.1:9", "--direct", "--security", "tls");
    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).contains("--direct uses no relay");
    Files.delete(folder.resolve("in/file"));
    assertThat(send(Decision.DIRECT, "--parallel", "2").err).contains("via r1, r2");
    assertThat(orchestrator.opened.getLast().parallel()).isEqualTo(2);
  }

  @Test
  void sendThroughNamedRelaysAsksNoPlan() throws Exception {
    Run run = send(Decision.DIRECT, "--via", "r2", "--json");

    JsonNode report = run.json();
    assertThat(report.get("route").asString()).isEqualTo("CASCADE");
    assertThat(report.get("relays").get(0).asString()).isEqualTo("r2");
    assertThat(report.get("verified").asBoolean()).isTrue();
    assertThat(orchestrator.planned).isEmpty();
    assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
  }

  /** A small file is over before throughput tests are. */
  @Test
  void aSmallFileThatIsMadeToCascadeWaitsForNoThroughputTests() throws Exception {
    assertThat(send(Decision.DIRECT, "--cascade").exit).isZero();
    assertThat(orchestrator.planned)
        .singleElement()
        .satisfies(asked -> assertThat(asked.measureSeconds()).isZero());
  }

  @Test
  void aSmallFileThatIsMadeToCascadeTakesNoConnectionsToTheDestinationToMeasure() throws Exception {
    Run run = send(Decision.DIRECT, "--cascade");

    assertThat(run.err).contains("connections to each of ").doesNotContain("to the destination");
    assertThat(orchestrator.planned)
        .singleElement()
        .satisfies(asked ->
            assertThat(Objects.requireNonNull(asked.source()).observations())
                .extracting(Observation::to)
                .contains("r1")
                .doesNotContain("destination"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"send", "open"})
  void aChainThatLeadsElsewhereThanThePlanThatWasShownSaysSo(String verb) throws Exception {
    orchestrator.cascade = List.of("r2");
    orchestrator.decision = Decision.CASCADE;

    Run run =
        verb.equals("send")
            ? send(Decision.CASCADE, "--cascade")
            : run("open", "--to", "127.0.0.1:9", "--probes", "2");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.err).contains("not r2: the plan was made again for the chain");
  }

  @Test
  void sendIsMadeToCascade() throws Exception {
    assertThat(send(Decision.DIRECT, "--cascade").err).contains("via r1, r2");
  }

  @Test
  void sendDirectlyNeedsNoOrchestrator() throws Exception {
    environment.put("CASCADE_ORCHESTRATOR", "http://127.0.0.1:" + ReservedPort.untilTheEnd());

    assertThat(send(Decision.DIRECT, "--direct", "--json").json().get("route").asString())
        .isEqualTo("DIRECT");
  }

  @Test
  void sendWithoutAnOrchestratorGoesDirectlyAndNamesTheFix() throws Exception {
    environment.put("CASCADE_ORCHESTRATOR", "http://127.0.0.1:" + ReservedPort.untilTheEnd());

    Run run = send(Decision.DIRECT);

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).contains("verified by the receiver");
  }

  @Test
  void sendThatReachesNobodySaysSoOfBothWays() throws IOException {
    environment.put("CASCADE_ORCHESTRATOR", "http://127.0.0.1:" + ReservedPort.untilTheEnd());
    Path file = Files.writeString(folder.resolve("file"), "x");

    Run run = run("send", file.toString(), "--to", "127.0.0.1:" + ReservedPort.untilTheEnd());

    assertThat(run.exit).isEqualTo(Verbs.TRY_AGAIN);
    assertThat(run.err)
        .contains("cannot connect to 127.0.0.1:")
        .contains("connection refused")
        .contains("--orchestrator");
  }

  @Test
  void aRefusedTransferClosesItsChainAndExitsWithOne() throws Exception {
    try (ReceivingPort port = receiver()) {
      Files.writeString(Files.createDirectory(folder.resolve("in")).resolve("file"), "precious");
      Path file = Files.writeString(folder.resolve("file"), "content");
      Run run = run("send", file.toString(), "--to", port.address().toString(), "--via", "r1");

      assertThat(run.exit).isEqualTo(1);
      assertThat(run.err).contains("the receiver refused").doesNotContain("Exception");
      assertThat(run.out).isEmpty();
      assertThat(orchestrator.chains.values()).allMatch(one -> one.state() == ChainState.CLOSED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-such-file", "."})
  void whatCannotBeSentIsNamed(String file) {
    Run run = run("send", file, "--to", "127.0.0.1:9", "--direct");

    assertThat(run.exit).isNotZero();
    assertThat(run.err.lines()).hasSize(1);
  }

  @Test
  void receivePrintsItsAddressAndExitsWithTheFilesFate() throws Exception {
    StringWriter out = new StringWriter();
    List<Integer> exits = new ArrayList<>();
    Thread receiver =
        Thread.ofVirtual()
            .start(() -> {
              CommandLine line = line(out, new StringWriter());
              exits.add(
                  line.execute(
                      "receive",
                      "--open-to-anyone",
                      "--listen",
                      "127.0.0.1:0",
                      "--output",
                      folder.toString()));
            });
    String address = awaitAddress(out);
    Path file = Files.write(folder.resolve("source"), new byte[100_000]);

    Run sent = run("send", file.toString(), "--to", address, "--direct", "--name", "copy");
    receiver.join();

    assertThat(sent.exit).as(sent.err).isZero();
    assertThat(exits).containsExactly(0);
    assertThat(folder.resolve("copy")).hasSameBinaryContentAs(file);
    assertThat(out.toString()).contains("verified").contains("sha256 ");
  }

  @Test
  void sendNeedsNothingButTheCodeThatReceivePrints() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<Integer> exits = new ArrayList<>();
    Thread receiver =
        Thread.ofVirtual()
            .start(() ->
                exits.add(
                    line(out, err)
                        .execute(
                            "receive", "--listen", "127.0.0.1:0", "--output", folder.toString())));
    String code = awaitCode(receiver, out, err, "");
    assertThat(code).matches("127\\.0\\.0\\.1:\\d+/[0-9a-z]{4}-[0-9a-z]{4}");
    Path file = Files.write(folder.resolve("source"), new byte[100_000]);

    Run clear =
        run("send", file.toString(), "--to", code.substring(0, code.indexOf('/')), "--direct");
    Run wrong = run("send", file.toString(), code.replaceFirst("/.*", "/00000000"), "--direct");
    String another = awaitCode(receiver, out, err, code);
    Run sent =
        run(
            "send",
            file.toString(),
            another.toUpperCase(java.util.Locale.ROOT),
            "--direct",
            "--name",
            "copy");
    receiver.join();

    assertThat(clear.err).contains("fix: ./cascade send FILE CODE");
    assertThat(wrong.err).contains("wrong code");
    assertThat(sent.exit).as(sent.err).isZero();
    assertThat(exits).containsExactly(0);
    assertThat(folder.resolve("copy")).hasSameBinaryContentAs(file);
  }

  @Test
  void aKeyThatOthersCanReadIsRefused() throws Exception {
    Path key = Files.write(folder.resolve("key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

    Run run = run("send", "x", "--to", "127.0.0.1:9", "--key-file", key.toString());

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).contains("fix: chmod 600 " + key);
  }

  /** The code that is printed instead of one. */
  private static String awaitCode(
      Thread receiver, StringWriter out, StringWriter err, String instead) {
    while (true) {
      assertThat(receiver.isAlive()).as(err.toString()).isTrue();
      String last =
          out.toString()
              .lines()
              .filter(line -> line.contains("send FILE "))
              .map(line -> line.replaceFirst(".*send FILE ", ""))
              .filter(code -> !code.equals(instead))
              .findFirst()
              .orElse("");
      if (!last.isEmpty()) {
        return last;
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      Run run = run("receive", "--listen", String.valueOf(taken.getLocalPort()));

      assertThat(run.exit).isEqualTo(1);
      assertThat(run.err).contains("cannot listen on").contains("0 for a free one");
      assertThat(run.err.lines()).hasSize(1);
    }
  }

  private Run send(Decision decision, String... more) throws Exception {
    orchestrator.decision = decision;
    Files.createDirectories(folder.resolve("in"));
    Path file = Files.write(folder.resolve("file"), new byte[300_000]);
    try (ReceivingPort port = receiver()) {
      List<String> line = new ArrayList<>(List.of("send", file.toString(), "--to"));
      line.add(port.address().toString());
      line.addAll(List.of("--probes", "3"));
      line.addAll(List.of(more));
      Run run = run(line.toArray(String[]::new));
      if (run.exit == 0) {
        assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
        assertThat(folder.resolve("in/file")).hasSameBinaryContentAs(file);
      }
      return run;
    }
  }

  private ReceivingPort receiver() throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(
            new OutputTarget(folder.resolve("in"), false, false),
            Duration.ofSeconds(20),
            TransferListener.SILENT));
  }

  private static String awaitAddress(StringWriter out) {
    await().until(() -> out.toString().contains("\n"));
    return out.toString().lines().findFirst().orElseThrow().strip().replace("receiving on ", "");
  }

  private Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = line(out, err).execute(arguments);
    return new Run(exit, out.toString(), err.toString());
  }

  private CommandLine line(StringWriter out, StringWriter err) {
    CommandLine line = new CommandLine(new Root());
    List.of(
            new PlanVerb(),
            new OpenVerb(),
            new CloseVerb(),
            new DrainVerb(),
            new KeyVerb(),
            new AuditVerb(),
            new ChainsVerb(),
            new ChainVerb(),
            new StreamsVerb(),
            new RelaysVerb(),
            new LinksVerb(),
            new AdviseVerb(),
            new CorrectionsVerb(),
            new EventsVerb(),
            new StatsVerb(),
            new TuneVerb(),
            new SendVerb(),
            new ReceiveVerb(),
            new VersionVerb())
        .forEach(line::addSubcommand);
    return Verbs.prepare(line, environment, new ClientFailures())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }

  @Command(name = "cascade")
  static final class Root {}

  record Run(int exit, String out, String err) {
    JsonNode json() {
      return Json.strict().readTree(out);
    }
  }
}
