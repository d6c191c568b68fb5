package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.ways.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SendRemarkTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Sha256 DIGEST = new Sha256(new byte[Sha256.BYTES]);
  private static final List<String> VIA = List.of("den", "sea");
  private static final Plan CERTAIN = plan(Decision.CASCADE, hop(14e6, CapacityKind.AT_LEAST));

  @Test
  void lossesThatHoldALossBasedControlBackAreNamedWithTheirRemedy() {
    assertThat(remark(LONG, account("cubic", 5, 161.0, TransferLimit.NETWORK), true))
        .isEqualTo(
            "0.50 % of the packets were lost before any queue built up, which cubic takes for a"
                + " full"
                + " link; faster: modprobe tcp_bbr, and name bbr in"
                + " net.ipv4.tcp_allowed_congestion_control");
  }

  @Test
  void aControlThatTheUserForbadeIsTheUsersToAllow() {
    assertThat(remark(LONG, account("cubic", 5, 161.0, TransferLimit.NETWORK), false))
        .endsWith("faster: allow bbr with --controls");
  }

  @Test
  void lossesThatBbrToleratesLeaveCodedSessionsToTry() {
    assertThat(remark(LONG, account("bbr", 5, 161.0, TransferLimit.NETWORK), true))
        .endsWith("faster: let UDP through to the receiver's port, for coded sessions");
  }

  @Test
  void aQueueSaysThatTheLinkIsFullWhateverWasLost() {
    assertThat(remark(LONG, account("cubic", 5, 240.0, TransferLimit.NETWORK), true))
        .isEqualTo("the link was full: 80.0 ms stood in its queue, on a round trip of 160 ms");
  }

  @Test
  void whatIsNotTheNetworksIsNamed() {
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.RECEIVER), true))
        .startsWith("the receiver read no faster");
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.SENDER_BUFFER), true))
        .startsWith("this host's send buffer was full");
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.APPLICATION), true))
        .startsWith("this host made the bytes ready more slowly");
  }

  @Test
  void theDiskIsToldFromTheProcessorAndFromTheFarEnd() {
    TransferAccount application = account("cubic", 0, 161.0, TransferLimit.APPLICATION);
    assertThat(remark(application, Bottleneck.DISK)).startsWith("this host's disk");
    assertThat(remark(application, Bottleneck.FAR_END)).startsWith("the receiver stored");
    assertThat(remark(application, Bottleneck.PATH)).endsWith("carried them: its processor");
    assertThat(remark(null, Bottleneck.DISK)).as("several ways").startsWith("this host's disk");
    assertThat(remark(account("cubic", 0, 161.0, TransferLimit.RECEIVER), Bottleneck.PATH))
        .startsWith("the receiver read no faster: its largest receive buffer");
  }

  private static String remark(@Nullable TransferAccount account, Bottleneck slow) {
    Sent sent = new Sent(1 << 24, 1 << 24, DIGEST, LONG, account, slow);
    SendReport report =
        SendReport.of("DIRECT", List.of(), "asked for", sent, null, null, null, true);
    return new SendRemark(report, null, true).sentence().orElse("");
  }

  @Test
  void nothingIsSaidOfATransferThatShowsNothing() {
    assertThat(remark(LONG, account("cubic", 0, 161.0, TransferLimit.NETWORK), true)).isEmpty();
    assertThat(remark(LONG, null, true)).isEmpty();
    assertThat(
            remark(Duration.ofSeconds(2), account("cubic", 5, 161.0, TransferLimit.NETWORK), true))
        .isEmpty();
  }

  @Test
  void overAShortRoundTripAShortTransferShowsWhatLimitsIt() {
    TransferAccount near =
        account("bbr", 5, 11.0, TransferLimit.NETWORK).toBuilder().minRttMillis(10.0).build();

    assertThat(remark(Duration.ofSeconds(1), near, true)).startsWith("0.50 % of the packets");
    assertThat(remark(Duration.ofMillis(999), near, true)).isEmpty();
  }

  @Test
  void aLinkThatWasFullSaysHowFullItWasOnAverage() {
    TransferAccount full =
        account("bbr", 5, 240.0, TransferLimit.NETWORK).toBuilder()
            .steadyBitsPerSecond(15e6)
            .build();

    assertThat(remark(LONG, full, true))
        .endsWith(
            "on a round trip of 160 ms; on average 89 % of the rate at which it was full, 15.0"
                + " Mbit/s");
  }

  @Test
  void theSlowestLinkIsOneOfKnownCapacity() {
    SendReport direct = alone("DIRECT", List.of(), Bottleneck.PATH);

    assertThat(remark(direct, level(hop(14e6, CapacityKind.KNOWN))))
        .isEqualTo("96 % of the slowest link, 14.0 Mbit/s");
    assertThat(remark(direct, level(hop(14e6, CapacityKind.AT_LEAST)))).isEmpty();
    assertThat(remark(direct, level(hop(12e6, CapacityKind.KNOWN))))
        .as("exceeded: known no longer")
        .isEmpty();
  }

  @Test
  void whatRelaysCarriedAloneIsSaidWithTheirSlowestLink() {
    SendReport relayed = alone("CASCADE", VIA, Bottleneck.PATH);

    assertThat(remark(relayed, null)).isEqualTo("all through den, sea");
    assertThat(remark(relayed, plan(Decision.CASCADE, hop(14e6, CapacityKind.KNOWN))))
        .isEqualTo("all through den, sea; 96 % of the slowest link, den → sea, 14.0 Mbit/s");
  }

  @Test
  void aSlowHopBesideOneOfLessCapacityIsNoSlowestLink() {
    HopPrediction lossy = hop(1e9, CapacityKind.KNOWN);
    HopPrediction narrow = hop(14e6, CapacityKind.KNOWN).toBuilder().bottleneck(false).build();

    assertThat(
            remark(alone("CASCADE", VIA, Bottleneck.PATH), plan(Decision.CASCADE, lossy, narrow)))
        .isEqualTo("all through den, sea");
  }

  @Test
  void theConnectionToARelayIsNotTakenForTheOneToTheReceiver() {
    assertThat(relayed(account("cubic", 0, 240.0, TransferLimit.NETWORK)))
        .isEqualTo(
            "all through den, sea; the link to den was full: 80.0 ms stood in its queue, on a round"
                + " trip of 160 ms");
    assertThat(relayed(account("bbr", 5, 161.0, TransferLimit.NETWORK)))
        .isEqualTo(
            "all through den, sea; 0.50 % of the packets to den were lost before any queue built"
                + " up");
    assertThat(relayed(account("bbr", 0, 161.0, TransferLimit.RECEIVER)))
        .endsWith("den read no faster: what comes behind it, or its receive buffer");
  }

  private static String relayed(TransferAccount account) {
    Sent sent = new Sent(1 << 24, 1 << 24, DIGEST, LONG, account, Bottleneck.PATH);
    return remark(SendReport.of("CASCADE", VIA, "asked for", sent, null, null, null, true), null);
  }

  @Test
  void severalWaysAreToldByTheirShares() {
    SendReport report =
        alone("CASCADE", VIA, Bottleneck.PATH)
            .carried(
                new Share(3 << 20, 3e6, List.of(), null),
                new Share(1 << 20, 1e6, List.of(), null),
                new Share(12 << 20, 11e6, VIA, null));

    assertThat(remark(report, plan(Decision.CASCADE, hop(14e6, CapacityKind.KNOWN))))
        .isEqualTo(
            "75 % through den, sea, 6 % coded, 19 % directly; the way through relays took"
                + " 79 % of its slowest link, den → sea, 14.0 Mbit/s");
  }

  @Test
  void relaysThatJoinedLateAreNamedWithWhatTheyCarried() {
    SendReport report =
        alone("CASCADE", VIA, Bottleneck.PATH)
            .carried(
                new Share(4 << 20, 4e6, List.of(), null),
                null,
                new Share(12 << 20, 28e6, VIA, null));

    assertThat(remark(report, plan(Decision.CASCADE, hop(100e6, CapacityKind.AT_LEAST))))
        .isEqualTo(
            "75 % through den, sea, 25 % directly; faster: relays from the start, --via den,sea,"
                + " which carried 28.0 Mbit/s");
  }

  @Test
  void relaysThatTookTurnsAreNotNamed() {
    SendReport report =
        alone("CASCADE", VIA, Bottleneck.PATH)
            .carried(
                new Share(1, 4e6, List.of(), null),
                null,
                new Share((12 << 20) - 1, 28e6, List.of(), null));

    assertThat(remark(report, plan(Decision.CASCADE, hop(14e6, CapacityKind.KNOWN))))
        .isEqualTo("99 % through relays, under 1 % directly");
  }

  @Test
  void whereTheHostHeldItUpNoRelaysArePromised() {
    TransferAccount account = account("bbr", 0, 161.0, TransferLimit.NETWORK);
    SendReport several =
        alone("DIRECT", List.of(), null)
            .carried(
                new Share(12 << 20, 11e6, List.of(), account),
                new Share(4 << 20, 3e6, List.of(), null),
                null);
    assertThat(remark(several, CERTAIN)).doesNotContain("faster");

    Sent sent =
        new Sent(
            1 << 24, 1 << 24, DIGEST, LONG, account("bbr", 0, 161.0, TransferLimit.RECEIVER), null);
    SendReport one = SendReport.of("DIRECT", List.of(), "", sent, null, null, null, true);
    assertThat(remark(one, CERTAIN)).startsWith("the receiver").doesNotContain("--via");
  }

  @Test
  void theRateOfAFullLinkIsNotSaidOfADisk() {
    TransferAccount full = account("bbr", 0, 400.0, TransferLimit.NETWORK);
    Sent sent = new Sent(1 << 22, 1 << 22, DIGEST, LONG, full, Bottleneck.DISK);
    assertThat(remark(SendReport.of("DIRECT", List.of(), "", sent, null, null, null, true), null))
        .startsWith("this host's disk")
        .doesNotContain("full");
  }

  @Test
  void aPlanThatDecidedForRelaysNamesThemWhereTheyWereNotUsed() {
    SendReport direct = alone("DIRECT", List.of(), Bottleneck.PATH);

    assertThat(remark(direct, CERTAIN)).isEqualTo("faster: --via den,sea, 40.0 Mbit/s by the plan");
    assertThat(remark(alone("DIRECT", List.of(), Bottleneck.DISK), CERTAIN))
        .as("no way is faster than the disk")
        .doesNotContain("faster");
    assertThat(remark(alone("CASCADE", VIA, Bottleneck.PATH), CERTAIN))
        .as("the very relays that carried")
        .doesNotContain("faster");
  }

  @Test
  void whereThePlanDidNotDecideItsLeastRateCounts() {
    SendReport direct = alone("DIRECT", List.of(), Bottleneck.PATH);
    Plan undecided = plan(Decision.UNDECIDED, hop(14e6, CapacityKind.AT_LEAST));

    assertThat(remark(direct, undecided))
        .as("20.0 Mbit/s at least, 13.4 were reached")
        .isEqualTo("faster: --via den,sea, 40.0 Mbit/s by the plan");
    assertThat(remark(direct, rated(undecided, RateEvidence.PREDICTED, 16e6))).isEmpty();
    assertThat(remark(direct, rated(undecided, RateEvidence.BOUND, 20e6))).isEmpty();
  }

  @Test
  void aRemedyAndRelaysAreBothNamedWhereThereIsRoom() {
    TransferAccount lossy = account("cubic", 5, 161.0, TransferLimit.NETWORK);
    Sent sent = new Sent(1 << 24, 1 << 24, DIGEST, LONG, lossy, Bottleneck.PATH);
    SendReport report =
        SendReport.of("DIRECT", List.of(), "asked for", sent, null, null, null, true);

    assertThat(remark(report, CERTAIN))
        .isEqualTo(
            "0.50 % of the packets were lost before any queue built up, which cubic takes for a"
                + " full"
                + " link; faster: --via den,sea, 40.0 Mbit/s by the plan");
    assertThat(new SendRemark(report, CERTAIN, false).sentence().orElse(""))
        .endsWith("40.0 Mbit/s by the plan; or allow bbr with --controls");
  }

  @Test
  void ofATransferThatIsOverAtOnceNothingIsSaid() {
    Sent sent = new Sent(1, 1, DIGEST, Duration.ofMillis(999), null, Bottleneck.PATH);

    assertThat(remark(SendReport.of("CASCADE", VIA, "", sent, null, null, null, true), CERTAIN))
        .isEmpty();
  }

  /** 13.4 Mbit/s. */
  private static SendReport alone(String route, List<String> relays, @Nullable Bottleneck slow) {
    Sent sent = new Sent(1 << 24, 1 << 24, DIGEST, LONG, null, slow);
    return SendReport.of(route, relays, "asked for", sent, null, null, null, true);
  }

  private static String remark(SendReport report, @Nullable Plan plan) {
    return new SendRemark(report, plan, true).sentence().orElse("");
  }

  private static Plan plan(Decision decision, HopPrediction... hops) {
    return Plan.builder()
        .destination("files.example.org:7420")
        .decision(decision)
        .summary("The test decides.")
        .relays(VIA)
        .plannedAt(Instant.parse("2026-01-01T00:00:00Z"))
        .candidates(
            List.of(
                candidate(CandidateKind.DIRECT, List.of(), 12e6, List.of(hops)),
                candidate(CandidateKind.CASCADE, VIA, 20e6, List.of(hops))))
        .notes(List.of())
        .build();
  }

  private static Candidate candidate(
      CandidateKind kind, List<String> relays, double least, List<HopPrediction> hops) {
    return Candidate.builder()
        .kind(kind)
        .relays(relays)
        .chosen(false)
        .bitsPerSecondLow(least)
        .bitsPerSecond(2 * least)
        .hops(hops)
        .evidence(RateEvidence.PREDICTED)
        .build();
  }

  /** A plan in which relays gain nothing. */
  private static Plan level(HopPrediction hop) {
    return rated(plan(Decision.EQUAL, hop), RateEvidence.PREDICTED, 12e6);
  }

  private static Plan rated(Plan plan, RateEvidence evidence, double least) {
    return plan.toBuilder()
        .candidates(
            plan.candidates().stream()
                .map(one -> one.toBuilder().evidence(evidence).bitsPerSecondLow(least).build())
                .toList())
        .build();
  }

  private static HopPrediction hop(double capacity, CapacityKind kind) {
    return HopPrediction.builder()
        .from("den")
        .to("sea")
        .basis("measured")
        .bottleneck(true)
        .capacityBitsPerSecond(capacity)
        .capacityKind(kind)
        .build();
  }

  private static String remark(
      Duration time, @Nullable TransferAccount account, boolean changesControl) {
    Sent sent = new Sent(1 << 24, 1 << 24, DIGEST, time, account);
    SendReport report =
        SendReport.of("DIRECT", List.of(), "asked for", sent, null, null, null, true);
    return new SendRemark(report, null, changesControl).sentence().orElse("");
  }

  private static TransferAccount account(
      String control, long again, double loadedRttMillis, TransferLimit limit) {
    return TransferAccount.builder()
        .seconds(10.0)
        .steadyBitsPerSecond(8e6)
        .sentSegments(1_500L)
        .retransmittedSegments(again)
        .steadySentSegments(1_000L)
        .steadyRetransmittedSegments(again)
        .minRttMillis(160.0)
        .loadedRttMillis(loadedRttMillis)
        .congestionControl(control)
        .limitedBy(limit)
        .steadyLossEvents(again)
        .build();
  }
}
