package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.transfer.Sent;
import io.cascade.client.ways.Share;
import io.cascade.client.ways.SharedSend;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Report of a transfer, as in the JSON document of {@code send}.
 *
 * @param seconds that the file took, from the first connection to the receiver's answer
 * @param direct what TCP connections without relays carried; null, as the others, where one way
 *     carried everything
 * @param coded what coded sessions without relays carried
 * @param totalSeconds since the verb began: with planning and opening a chain, if the transfer
 *     waited for them
 * @param slow key of the slowest part, see {@link io.cascade.client.transfer.Bottleneck}; null
 *     where it was not determined, or none of them was the slowest
 */
record SendReport(
    String route,
    List<String> relays,
    String why,
    boolean verified,
    long bytes,
    long wireBytes,
    String sha256,
    double seconds,
    double totalSeconds,
    double bitsPerSecond,
    @Nullable Double predictedSeconds,
    @Nullable Double predictedSecondsLow,
    @Nullable Double predictedSecondsHigh,
    @Nullable Double predictedBitsPerSecond,
    @Nullable UUID chainId,
    @Nullable SetupReport setup,
    @Nullable Share direct,
    @Nullable Share coded,
    @Nullable Share relayed,
    @Nullable TransferAccount account,
    @Nullable String slow) {

  /** Route of a transfer between ends that a relay joined. */
  static final String RENDEZVOUS = "RENDEZVOUS";

  /** Shorter preparation is not reported to people. */
  private static final double NOTABLE_SECONDS = 0.1;

  static SendReport of(SharedSend.Result result) {
    Chain chain = result.throughRelays() ? result.chain() : null;
    List<String> relays = chain == null ? List.of() : chain.relays();
    Plan plan = chain == null || chain.plan() == null ? result.plan() : chain.plan();
    CandidateKind kind = chain == null ? CandidateKind.DIRECT : CandidateKind.CASCADE;
    SendReport one =
        of(
            chain == null ? "DIRECT" : "CASCADE",
            relays,
            result.why(),
            result.sent(),
            chain,
            chain == null ? null : chain.setup(),
            plan == null ? null : PlanText.candidate(plan, kind, relays),
            true);
    return one.carried(
        Share.of(result.direct(), null), Share.of(result.coded(), null), result.relayed());
  }

  /** Returns this report with the shares of a transfer's ways if there were several. */
  SendReport carried(
      @Nullable Share overDirect, @Nullable Share overCoded, @Nullable Share overRelays) {
    long ways = Stream.of(overDirect, overCoded, overRelays).filter(Objects::nonNull).count();
    return ways > 1 ? with(totalSeconds, overDirect, overCoded, overRelays, null) : this;
  }

  /** Returns this report with the total time of the verb. */
  SendReport in(Duration total) {
    return with(total.toNanos() / 1e9, direct, coded, relayed, account);
  }

  private SendReport with(
      double total,
      @Nullable Share overDirect,
      @Nullable Share overCoded,
      @Nullable Share overRelays,
      @Nullable TransferAccount counted) {
    return new SendReport(
        route,
        relays,
        why,
        verified,
        bytes,
        wireBytes,
        sha256,
        seconds,
        total,
        bitsPerSecond,
        predictedSeconds,
        predictedSecondsLow,
        predictedSecondsHigh,
        predictedBitsPerSecond,
        chainId,
        setup,
        overDirect,
        overCoded,
        overRelays,
        counted,
        slow);
  }

  static SendReport of(
      String route,
      List<String> relays,
      String why,
      Sent sent,
      @Nullable Chain chain,
      @Nullable SetupReport setup,
      @Nullable Candidate predicted,
      boolean verified) {
    double seconds = sent.elapsed().toNanos() / 1e9;
    return new SendReport(
        route,
        relays,
        why,
        verified,
        sent.bytes(),
        sent.wireBytes(),
        sent.sha256().toString(),
        seconds,
        seconds,
        Math.min(sent.bytes(), sent.wireBytes()) * 8 / seconds,
        predicted == null ? null : predicted.seconds(),
        predicted == null ? null : predicted.secondsLow(),
        predicted == null ? null : predicted.secondsHigh(),
        predicted == null ? null : predicted.bitsPerSecond(),
        chain == null ? null : chain.id(),
        setup,
        null,
        null,
        null,
        sent.account(),
        sent.slow() == null ? null : sent.slow().key());
  }

  /** Whether one way carried everything. */
  boolean oneWay() {
    return direct == null && coded == null && relayed == null;
  }

  /** What was sent, without what the receiver had before, as if one way had carried it. */
  Share whole() {
    return new Share(Math.min(bytes, wireBytes), bitsPerSecond, relays, account);
  }

  /** The report in words. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s%s in %s, %s, %s%s"
            .formatted(
                DataSize.format(bytes),
                wireBytes < bytes
                    ? " (%s were there before)".formatted(DataSize.format(bytes - wireBytes))
                    : "",
                Quantities.seconds(seconds),
                Quantities.rate(bitsPerSecond),
                verified ? "verified by the receiver" : "sent, not verified",
                totalSeconds - seconds < NOTABLE_SECONDS
                    ? ""
                    : "; ready to send after " + Quantities.seconds(totalSeconds - seconds)));
    lines.add("sha256 " + sha256);
    if (route.equals(RENDEZVOUS)) {
      lines.add("through relay %s: %s".formatted(String.join(", ", relays), why));
    }
    List<String> shares = shares();
    if (!shares.isEmpty()) {
      lines.add("%s; %s".formatted(Printable.line(why), String.join(", ", shares)));
    }
    if (predictedSeconds != null) {
      lines.add(
          "predicted%s %s (%s … %s), %s"
              .formatted(
                  relayed != null ? " for the larger part's way alone:" : "",
                  Quantities.seconds(predictedSeconds),
                  Quantities.seconds(predictedSecondsLow),
                  Quantities.seconds(predictedSecondsHigh),
                  Quantities.rate(predictedBitsPerSecond)));
    }
    return lines;
  }

  private List<String> shares() {
    List<String> shares = new ArrayList<>();
    add(shares, direct, route.equals(RENDEZVOUS) ? "through the relay" : "directly");
    add(shares, coded, "coded, directly,");
    add(shares, relayed, "through relays");
    return shares;
  }

  private static void add(List<String> shares, @Nullable Share share, String way) {
    if (share != null && share.bytes() > 0) {
      shares.add(
          "%s %s at %s"
              .formatted(
                  DataSize.format(share.bytes()), way, Quantities.rate(share.bitsPerSecond())));
    }
  }
}
