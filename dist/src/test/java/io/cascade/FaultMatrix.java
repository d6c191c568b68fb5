package io.cascade;

import static io.cascade.FaultMatrix.Fault.BLACKHOLE;
import static io.cascade.FaultMatrix.Fault.CLOCK;
import static io.cascade.FaultMatrix.Fault.DESCRIPTORS;
import static io.cascade.FaultMatrix.Fault.DISK;
import static io.cascade.FaultMatrix.Fault.DNS;
import static io.cascade.FaultMatrix.Fault.HEAP;
import static io.cascade.FaultMatrix.Fault.KILL;
import static io.cascade.FaultMatrix.Fault.LOSS;
import static io.cascade.FaultMatrix.Fault.ONE_WAY_IN;
import static io.cascade.FaultMatrix.Fault.ONE_WAY_OUT;
import static io.cascade.FaultMatrix.Fault.POWER;
import static io.cascade.FaultMatrix.Fault.RESTORED;
import static io.cascade.FaultMatrix.Fault.STOP_120;
import static io.cascade.FaultMatrix.Fault.STOP_30;
import static io.cascade.FaultMatrix.Fault.STOP_5;
import static io.cascade.FaultMatrix.Why.AS_30;
import static io.cascade.FaultMatrix.Why.AS_AWAY;
import static io.cascade.FaultMatrix.Why.AS_CUT;
import static io.cascade.FaultMatrix.Why.IN_PROCESS;
import static io.cascade.FaultMatrix.Why.LESS_LOSS;
import static io.cascade.FaultMatrix.Why.LOCAL;
import static io.cascade.FaultMatrix.Why.NO_DISK;
import static io.cascade.FaultMatrix.Why.OTHERS;
import static io.cascade.FaultMatrix.Why.RETRANSMITS;
import static io.cascade.FaultMatrix.Why.STORES;
import static io.cascade.FaultMatrix.Why.SUPERVISED;
import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What is done to each part of the system, and the test that does it or the reason for none. */
final class FaultMatrix {
  private static final Map<Fault, List<Cell>> ROWS = new EnumMap<>(Fault.class);

  private static final String SENT = "SentFileSurvivesTest";
  private static final String SENT_SURVIVES =
      "firstMiddleAndLastRelayDieDrainAndPauseAndTheOrchestratorDies";
  private static final Cell PAUSED =
      test("PausedProcessesTest", "aFileArrivesAlthoughEachProcessStandsStillInTurn");
  private static final Cell CUT = test("CutNetworksTest", "aHopThatIsCutStopsItsChainOnly");
  private static final Cell ONE_WAY_RELAY =
      test("OneWayCutTest", "aFileGoesOnThroughARelayOnceBothDirectionsAreOpen");
  private static final Cell ONE_WAY_END =
      test("OneWayCutTest", "aFileGoesOnDirectlyOnceBothDirectionsAreOpen");
  private static final Cell NO_CLOCK =
      test("ProjectRulesTest", "noDurationIsMeasuredByTheTimeOfDay");
  private static final Cell RESTORED_DATABASE =
      test(
              "PartInspectionTest",
              "afterAnOlderDatabaseWasRestoredWantedChainsStayAndLaterOnesGoAfterAWhile")
          .and(
              test(
                  "RelayIdentitiesTest",
                  "withARestoredOlderDatabaseTheRelayRegistersAgainAndKeepsItsParts"));
  private static final Cell OLDER_IDENTITY =
      test("RelayIdentitiesTest", "aNewGenerationIsARestartAndTheOldOneCannotTakeTheNameBack");
  private static final Cell WHOLE_IDENTITY =
      test("IdentityFileTest", "aWriterThatWasKilledLeavesTheOldIdentity")
          .and(test("OwnerOnlyFileTest", "isReplacedAsAWholeAndNobodyElseReadsIt"));
  private static final Cell NAMES =
      test("SystemNamesTest", "whatIsNotAnsweredStopsNoOtherVirtualThread");
  private static final Cell SLOW_NAMES =
      test("SlowNamesTest", "aRelayIsHeardOfAndServesWhileFourHundredNamesAreNotAnswered");
  private static final Cell RELAY_FILES =
      test("LimitsTest", "whenDescriptorsRunOutNewStreamsAreReset");
  private static final Cell RELAY_HEAP =
      test("LastingThreadTest", "goesOnAfterWhateverARoundThrows");
  private static final Cell SPOOL = test("RelayFaultsTest", "aStreamThatMayNotStoreMoreIsReset");
  private static final Cell STALLED_PIPE =
      test("JunctionsTest", "aPipeThatStandsStillHoldsNothingUp");
  private static final Cell SILENT_PIPE =
      test("SegmentStreamTest", "aSilentPipeIsSuspectedAndOthersTakeOverAndItMayComeBack");
  private static final Cell OUTAGE = test("GatewayTest", "anOutageEndsNothing");
  private static final Cell PATH_LEFT = test("SplitterTest", "thePathThatIsLeftCarriesOn");
  private static final Cell SENDS_REST =
      test("KilledTransferTest", "afterTheSenderIsKilledTheSameCommandSendsTheRest");
  private static final Cell RESUMED =
      test("ResumedTransferTest", "goesOnOverTheNextConnectionWithWhatHasArrived");

  static {
    // Orchestrator, database, first, middle, last relay, forward, send, receive, gateway, scap.
    row(
        KILL,
        test("KilledOrchestratorTest", "whileItSetsUp")
            .and(test("FailoverTest", "theLeaderIsKilled")),
        test("KilledContainersTest", "onlyChainsThatGoThroughItNotice")
            .and(test("FailoverTest", "theDatabaseIsRestarted")),
        test(SENT, SENT_SURVIVES).and(test("FaultsTest", "aRelayThatIsKilledResetsBothEnds")),
        test(SENT, SENT_SURVIVES)
            .and(
                test(
                    "SegmentedChainsTest",
                    "aClientsStreamSurvivesEitherMiddleRelayAndTheOrchestrator")),
        test(SENT, SENT_SURVIVES),
        test("JunctionsTest", "aJunctionThatShutsDownResetsBothEndsAtOnce"),
        SENDS_REST,
        test("KilledTransferTest", "afterTheReceiverIsKilledTheRunningSenderSendsTheRest"),
        test("TunnelTest", "aConnectionGoesOnWhileAGatewayIsKilledAndStartedAgain"),
        test("SplitterTest", "theKernelGoesOnWhereTheSplitterIsKilled"));
    row(
        STOP_5,
        PAUSED,
        why(AS_AWAY).and(test("LostDatabaseTest", "chainsAreKeptWithoutIt")),
        PAUSED,
        PAUSED,
        PAUSED,
        SILENT_PIPE,
        PAUSED,
        PAUSED,
        OUTAGE,
        test("SplitterTest", "theConnectionGoesOnWhereTheSplitterStandsStill"));
    row(
        STOP_30,
        test("FailoverTest", "theLeaderIsPausedAndGoesOn"),
        why(AS_AWAY)
            .and(test("LeadersTest", "aLeaderWithoutItsDatabaseStandsByAndLeadsAgainOnceItIsBack")),
        test(SENT, SENT_SURVIVES),
        test(SENT, SENT_SURVIVES).and(test("CutNetworksTest", "aPausedRelayHoldsUpItsChainOnly")),
        test(SENT, SENT_SURVIVES),
        test("JunctionsTest", "withoutAnyPipeTheStreamWaitsAndIsResetInTheEnd"),
        test("ResumedTransferTest", "failsAtTheReceiverWhenTheSenderDoesNotComeBack"),
        test("PausedProcessesTest", "aFileArrivesAlthoughItsReceiverStandsStillForHalfAMinute"),
        OUTAGE,
        test("SplitterTest", "theConnectionGoesOnWhereTheSplitterStandsStill"));
    row(
        STOP_120,
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30),
        why(AS_30));
    row(
        BLACKHOLE,
        test("CutNetworksTest", "relaysThatTheOrchestratorDoesNotReachGoOn")
            .and(test("FailoverTest", "theLeaderIsCutOffFromTheDatabaseAndComesBack"))
            .and(test("FailoverTest", "theHostOfTheLeaderIsLostAndComesBack")),
        why(AS_AWAY)
            .and(test("LeadersTest", "aLeaderWithoutItsDatabaseStandsByAndLeadsAgainOnceItIsBack")),
        CUT,
        CUT,
        CUT.and(test("CutNetworksTest", "aStreamThatIsHeldUpIsResetWhenItsWayIsCut")),
        test("TcpEndsTest", "theKernelGivesUpAPeerThatVanished").and(STALLED_PIPE),
        RESUMED,
        RESUMED,
        OUTAGE,
        PATH_LEFT);
    row(
        ONE_WAY_OUT,
        why(AS_CUT),
        why(AS_CUT),
        ONE_WAY_RELAY,
        ONE_WAY_RELAY,
        ONE_WAY_RELAY,
        why(AS_CUT),
        ONE_WAY_END,
        ONE_WAY_END,
        why(AS_CUT),
        test("SilenceTest", "severalPacketsWithoutAnAnswerAreSilence"));
    row(
        ONE_WAY_IN,
        why(AS_CUT),
        why(AS_CUT),
        ONE_WAY_RELAY,
        ONE_WAY_RELAY,
        ONE_WAY_RELAY,
        why(AS_CUT),
        ONE_WAY_END,
        ONE_WAY_END,
        why(AS_CUT),
        test("SilenceTest", "severalPacketsWithoutAnAnswerAreSilence"));
    row(
        LOSS,
        why(RETRANSMITS).and(test("RelaySilenceTest", "whatIsUsualForARelayIsNoSilence")),
        why(RETRANSMITS),
        why(LESS_LOSS)
            .and(test("FirstHopOverLossyPathTest", "aCodedSessionCarriesToTheFirstRelay")),
        why(LESS_LOSS).and(test("SessionFaultsTest", "arriveByteForByte")),
        why(RETRANSMITS),
        why(LESS_LOSS).and(test("ForwardOverLossyPathTest", "aCodedSessionCarriesBesideTcp")),
        why(LESS_LOSS)
            .and(test("FirstHopOverLossyPathTest", "aCodedSessionCarriesToTheFirstRelay")),
        why(LESS_LOSS)
            .and(test("FirstHopOverLossyPathTest", "aReceiverGetsTheFileDirectlyByACodedSession")),
        why(LESS_LOSS).and(test("TunnelTest", "packetsGoThroughAGatewayBetweenTwoOthers")),
        why(LESS_LOSS).and(test("CodedPipesTest", "carryOneConnectionTogetherAndLoseNothing")));
    row(
        DISK,
        test("FullDiskTest", "whatNeedsTheDatabaseWorksAgainOnceThereIsSpace"),
        why(IN_PROCESS).and(test("FullDiskTest", "healthAndMetricsTellOfIt")),
        why(STORES).and(SPOOL),
        why(STORES).and(SPOOL),
        why(STORES).and(SPOOL),
        why(NO_DISK),
        why(NO_DISK),
        test("FilledDiskTest", "aFileIsKeptAndTheSameCommandSendsTheRestOnceThereIsRoom"),
        why(NO_DISK),
        why(NO_DISK));
    row(
        DESCRIPTORS,
        test("FewDescriptorsTest", "connectionsOfStrangersLeaveTheOrchestratorEnough"),
        why(OTHERS),
        RELAY_FILES,
        RELAY_FILES,
        RELAY_FILES,
        test("FewDescriptorsTest", "aForwardCarriesOnceStrangersAreGone"),
        why(SUPERVISED).and(SENDS_REST),
        test("FewDescriptorsTest", "aReceiverTakesItsFileOnceStrangersAreGone"),
        test("FewDescriptorsTest", "aGatewayAnswersOnceStrangersAreGone"),
        test("SplitterTest", "bothPathsCarryWhileStrangersHoldAllItsDescriptors"));
    row(
        HEAP,
        test("PeriodicTaskTest", "aStepThatFailsIsRunAgainAndKeepsNoOtherFromRunning"),
        why(OTHERS),
        RELAY_HEAP.and(test("LimitsTest", "whenMemoryIsSpentStreamsGoOnWithLittleEach")),
        RELAY_HEAP,
        RELAY_HEAP,
        test("JunctionsTest", "aPipeIsDialledAgainOnceThereIsMemory")
            .and(
                test("LiveJunctionsTest", "aStreamThatCannotBeginForWantOfMemoryGivesItsPlaceBack"))
            .and(
                test("AcceptHandlerTest", "aConnectionThatNobodyCouldTakeForWantOfMemoryIsClosed")),
        why(SUPERVISED).and(SENDS_REST),
        test("AbandonedTransferTest", "anErrorEndsItsTransferAlone"),
        test("LoopTasksTest", "aTaskIsRunAgainWhateverItThrows"),
        test("ScapHostTest", "aQuestionThatThrowsAnErrorEndsNothing"));
    row(
        CLOCK,
        test("SteppedClockTest", "nobodyIsLostAndNoMeasurementAges")
            .and(test("SteppedClockTest", "aClockThatIsTenYearsOffEndsNothingAndRemovesNothing"))
            .and(test("AuditTest", "aClockThatWasSetAheadRemovesNothing")),
        test(
                "ElectionTest",
                "whereTheDatabasesClockIsSteppedAheadTheFormerLeaderIsToldAtItsNextRenewal")
            .and(
                test(
                    "LeadersTest",
                    "aSeatOfALaterTimeThanNowWasKeptBeforeAClockWasSetBackAndIsFree"))
            .and(test("FailoverTest", "theDatabasesClockIsSetAheadAndBack")),
        test("LeasesTest", "stepsOfTheTimeOfDayChangeNothing"),
        test("ServingAloneTest", "stepsOfTheTimeOfDayEndNothing"),
        test("LeasesTest", "stepsOfTheTimeOfDayChangeNothing"),
        NO_CLOCK,
        NO_CLOCK.and(test("KnownPathsTest", "aClockThatWasSetBackMakesItUnknown")),
        NO_CLOCK,
        NO_CLOCK,
        NO_CLOCK);
    row(
        RESTORED,
        RESTORED_DATABASE,
        RESTORED_DATABASE,
        OLDER_IDENTITY,
        OLDER_IDENTITY,
        OLDER_IDENTITY,
        why(NO_DISK),
        why(NO_DISK),
        test("KilledTransferTest", "aJournalOfAnotherFileCountsForNothing"),
        test("TunnelsTest", "aGatewayWithAnOlderCopyOfItsIdentityIsTakenOnceItsNameIsReleased"),
        why(NO_DISK));
    row(
        POWER,
        test("TornFileTest", "opensWithAllThatWasCommittedBefore")
            .and(test("OwnerOnlyFileTest", "isReplacedAsAWholeAndNobodyElseReadsIt")),
        why(OTHERS),
        WHOLE_IDENTITY,
        WHOLE_IDENTITY,
        WHOLE_IDENTITY,
        why(NO_DISK),
        why(NO_DISK),
        test("KilledTransferTest", "aTornRecordIsCutOff")
            .and(test("TransferTableTest", "aLineThatWasTornIsPassedOver")),
        WHOLE_IDENTITY,
        why(NO_DISK));
    row(
        DNS,
        NAMES,
        why(LOCAL),
        SLOW_NAMES,
        SLOW_NAMES,
        SLOW_NAMES,
        NAMES,
        NAMES,
        NAMES,
        NAMES,
        NAMES);
  }

  private FaultMatrix() {}

  /** What is done. */
  enum Fault {
    KILL("killed (SIGKILL)"),
    STOP_5("stopped for 5 s (SIGSTOP)"),
    STOP_30("for 30 s"),
    STOP_120("for 120 s"),
    BLACKHOLE("cut off, both ways"),
    ONE_WAY_OUT("cut off, what it sends"),
    ONE_WAY_IN("cut off, what it gets"),
    LOSS("30 % of packets lost"),
    DISK("disk full, then freed"),
    DESCRIPTORS("out of descriptors"),
    HEAP("out of heap"),
    CLOCK("time of day set by an hour or by ten years, ahead or back"),
    RESTORED("its files of yesterday restored"),
    POWER("power lost while it writes"),
    DNS("names not answered");

    private final String words;

    Fault(String words) {
      this.words = words;
    }
  }

  /** Reasons for no test of exactly that. */
  enum Why {
    AS_30(
        "as after 30 s: every time-out that a stop can meet is over by then; PausedProcessesTest with -Dpause.seconds=120 stops relays, send, receive and the orchestrator by hand"),
    AS_AWAY("of the database: as one that does not answer; H2 is in the orchestrator's process"),
    AS_CUT(
        "as cut off both ways: calls and streams go over TCP or sessions, which need acknowledgments, and a probe without an answer counts as lost"),
    IN_PROCESS(
        "of PostgreSQL: to the orchestrator it is as H2 without space, a database that refuses to write"),
    LESS_LOSS(
        "at less loss: at 30 % a TCP connection carries next to nothing, with or without Cascade"),
    RETRANSMITS("TCP alone, by the kernel: slower, and judged by what is usual for the relay"),
    NO_DISK("keeps nothing on disk while it runs"),
    STORES(
        "only streams of chains that store and forward are on its disk: their bound is tested, and no full disk"),
    LOCAL("a server that looks up no names"),
    OTHERS("PostgreSQL's own; H2 is in the orchestrator's process"),
    SUPERVISED("ends with an error, and the same command sends the rest");

    private final String words;

    Why(String words) {
      this.words = words;
    }
  }

  /**
   * A cell of the matrix.
   *
   * @param tests as {@code Class.method}
   */
  record Cell(List<String> tests, List<Why> reasons) {
    Cell and(Cell other) {
      return new Cell(
          Stream.concat(tests.stream(), other.tests.stream()).distinct().toList(),
          Stream.concat(reasons.stream(), other.reasons.stream()).toList());
    }
  }

  /** The parts, in the order of a row's cells. */
  static final List<String> PARTS =
      List.of(
          "orchestrator",
          "database",
          "first relay",
          "middle relay",
          "last relay",
          "forward",
          "send",
          "receive",
          "gateway",
          "scap");

  static Map<Fault, List<Cell>> rows() {
    return Map.copyOf(ROWS);
  }

  private static Cell test(String name, String method) {
    return new Cell(List.of(name + "." + method), List.of());
  }

  private static Cell why(Why why) {
    return new Cell(List.of(), List.of(why));
  }

  private static void row(Fault fault, Cell... cells) {
    ROWS.put(fault, List.of(cells));
  }

  /** The document {@code docs/reference/faults.md}. */
  static String document() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    ROWS.values()
        .forEach(cells ->
            cells.forEach(cell ->
                cell.tests().forEach(test -> numbers.putIfAbsent(test, numbers.size() + 1))));
    StringBuilder text =
        new StringBuilder(
            """
            # Faults

            What is done to each part, and the tests that do it, by number. A letter stands for a fault that no test causes exactly, and its reason is below.
            Generated from `FaultMatrix` (module `dist`), whose test checks that the tests exist.

            """);
    text.append("| | ").append(String.join(" | ", PARTS)).append(" |\n");
    text.append("|---".repeat(PARTS.size() + 1)).append("|\n");
    for (Fault fault : Fault.values()) {
      text.append("| ").append(fault.words).append(" | ");
      text.append(
          ROWS.getOrDefault(fault, List.of()).stream()
              .map(cell -> words(cell, numbers))
              .collect(joining(" | ")));
      text.append(" |\n");
    }
    text.append("\n");
    numbers.forEach((test, number) -> text.append(number).append(". `").append(test).append("`\n"));
    text.append("\n");
    for (Why why : Why.values()) {
      text.append("- ").append(letter(why)).append(": ").append(why.words).append("\n");
    }
    return text.toString();
  }

  private static String words(Cell cell, Map<String, Integer> numbers) {
    List<String> letters = cell.reasons().stream().map(FaultMatrix::letter).toList();
    List<String> tests =
        cell.tests().stream().map(test -> String.valueOf(numbers.get(test))).toList();
    return Stream.concat(letters.stream(), tests.stream()).collect(joining(", "));
  }

  private static String letter(Why why) {
    return String.valueOf((char) ('a' + List.of(Why.values()).indexOf(why)));
  }

  static List<Fault> faults() {
    return Arrays.asList(Fault.values());
  }
}
