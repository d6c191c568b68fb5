package io.cascade.client.verbs;

import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.ways.Share;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes in a sentence how much each way carried if relays carried some, what limited a
 * transfer, how full the slowest link was, and what would make the next transfer faster: from the
 * kernel's counters, and from the plan. What neither knows is left out.
 */
final class SendRemark {
  /** Shorter transfers get no sentence. */
  private static final double LEAST_SECONDS = 1;

  /** Parts that would make the sentence longer are left out, except for the limit. */
  private static final int MOST_CHARACTERS = 170;

  /** Factor by which a rate may exceed a capacity before the capacity is considered wrong. */
  private static final double EXCEEDED = 1.05;

  /** Most characters of relays' names; longer lists are given as a count. */
  private static final int MOST_NAMES = 60;

  private final SendReport report;
  private final PlannedWays planned;
  private final boolean changesControl;

  /**
   * @param plan the latest one of this transfer; null where there was none
   * @param changesControl whether the user allows connections to use another congestion control
   *     than the host's default
   */
  SendRemark(SendReport report, @Nullable Plan plan, boolean changesControl) {
    this.report = report;
    this.planned = new PlannedWays(plan);
    this.changesControl = changesControl;
  }

  /** The sentence; empty where too little is known. */
  Optional<String> sentence() {
    if (report.seconds() < LEAST_SECONDS) {
      return Optional.empty();
    }
    TransferAccount account = account();
    ConnectionRemark connection =
        account == null ? null : new ConnectionRemark(report, account, changesControl);
    SendLimit limit = limit(connection);
    String what = limit == null ? "" : limit.words();
    String faster = faster(what, limit == null ? null : limit.remedy(), fasterRelays(connection));
    String full = fullness(connection);
    if (!fits(sentence("", what, full, faster))) {
      full = "";
    }
    String carried = carried();
    if (!fits(sentence(carried, what, full, faster))) {
      carried = "";
    }
    String all = sentence(carried, what, full, faster);
    return all.isEmpty() ? Optional.empty() : Optional.of(Printable.line(all));
  }

  /**
   * Account of the way that carried the larger part; null where there is none, as for coded
   * sessions.
   */
  private @Nullable TransferAccount account() {
    if (report.oneWay()) {
      return report.account();
    }
    Share larger = report.relays().isEmpty() ? report.direct() : relayedOrMet();
    return larger == null || larger.bytes() < bytes(report.coded()) ? null : larger.account();
  }

  /** What relays carried, of an orchestrator or of a rendezvous. */
  private @Nullable Share relayedOrMet() {
    return isMet() ? report.direct() : report.relayed();
  }

  private boolean isMet() {
    return report.route().equals(SendReport.RENDEZVOUS);
  }

  private @Nullable SendLimit limit(@Nullable ConnectionRemark connection) {
    if (isSlow(Bottleneck.DISK)) {
      return new SendLimit(
          "this host's disk read the bytes more slowly than the network carried them");
    }
    if (isSlow(Bottleneck.FAR_END)) {
      return new SendLimit(
          "the receiver stored the bytes more slowly than they arrived: its disk, or its"
              + " processor");
    }
    return connection == null ? null : connection.limit().orElse(null);
  }

  private boolean isSlow(Bottleneck what) {
    return what.key().equals(report.slow());
  }

  /** How much each way carried, if relays carried some; empty otherwise. */
  private String carried() {
    Share relayed = report.relayed();
    if (isMet()) {
      return ""; // The report's lines contain it.
    }
    if (relayed == null) {
      return report.relays().isEmpty() ? "" : "all through " + names(report.relays());
    }
    long all = bytes(report.direct()) + bytes(report.coded()) + bytes(relayed);
    return Stream.of(
            part(relayed, "through " + names(relayed.relays()), all),
            part(report.coded(), "coded", all),
            part(report.direct(), "directly", all))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String part(@Nullable Share share, String way, long all) {
    long bytes = bytes(share);
    return bytes == 0 ? "" : (bytes == all ? "all" : percentOfAll(bytes, all)) + " " + way;
  }

  private static String names(List<String> relays) {
    if (relays.isEmpty()) {
      return "relays"; // Several chains, one after the other.
    }
    String names = String.join(", ", relays);
    return names.length() <= MOST_NAMES ? names : relays.size() + " relays";
  }

  private static long bytes(@Nullable Share share) {
    return share == null ? 0 : share.bytes();
  }

  /** How full the slowest link was, if its rate is known; empty otherwise. */
  private String fullness(@Nullable ConnectionRemark connection) {
    boolean isEndSlow = isSlow(Bottleneck.DISK) || isSlow(Bottleneck.FAR_END);
    Double full = connection == null || isEndSlow ? null : connection.fullBitsPerSecond();
    if (full != null) {
      return share(report.bitsPerSecond() / full)
          .map(share ->
              "on average %s of the rate at which it was full, %s"
                  .formatted(share, Quantities.rate(full)))
          .orElse("");
    }
    Share relayed = report.relayed();
    if (relayed == null) {
      return isMet() ? "" : fullness("", report.relays(), report.bitsPerSecond());
    }
    if (report.relays().isEmpty()) {
      long bytes = bytes(report.direct()) + bytes(report.coded());
      return fullness("the direct way took ", List.of(), Byte.SIZE * bytes / report.seconds());
    }
    return relayed.relays().isEmpty()
        ? ""
        : fullness("the way through relays took ", relayed.relays(), relayed.bitsPerSecond());
  }

  private String fullness(String who, List<String> relays, double bitsPerSecond) {
    HopPrediction hop = planned.slowestHop(relays).orElse(null);
    Double capacity = hop == null ? null : hop.capacityBitsPerSecond();
    if (hop == null || capacity == null) {
      return "";
    }
    String where = relays.isEmpty() ? "" : "%s → %s, ".formatted(hop.from(), hop.to());
    return share(bitsPerSecond / capacity)
        .map(share ->
            "%s%s of %s slowest link, %s%s"
                .formatted(
                    who, share, who.isEmpty() ? "the" : "its", where, Quantities.rate(capacity)))
        .orElse("");
  }

  /** A share of a capacity; empty where it is implausible. */
  private static Optional<String> share(double share) {
    return share > 0 && share <= EXCEEDED ? Optional.of(percent(share)) : Optional.empty();
  }

  private static String percentOfAll(long bytes, long all) {
    // At most 99 %, since the other part is not zero.
    return percent(Math.min(0.99, (double) bytes / all));
  }

  private static String percent(double share) {
    return share < 0.01 ? "under 1 %" : Math.min(100, Math.round(100 * share)) + " %";
  }

  /** Relays that would be faster; empty where none are known. */
  private String fasterRelays(@Nullable ConnectionRemark connection) {
    if (isMet() || !isLimitedByPath()) {
      return "";
    }
    Share relayed = report.relayed();
    if (relayed != null && relayed.relays().isEmpty()) {
      return ""; // Several chains carried in turn, and it is unknown which was faster.
    }
    if (relayed != null
        && Byte.SIZE * relayed.bytes() >= LEAST_SECONDS * relayed.bitsPerSecond()
        && relayed.bitsPerSecond() >= PlannedWays.NOTABLE_GAIN * report.bitsPerSecond()) {
      return "relays from the start, --via %s, which carried %s"
          .formatted(String.join(",", relayed.relays()), Quantities.rate(relayed.bitsPerSecond()));
    }
    return planned
        .fasterCascade(
            relayed == null ? report.relays() : relayed.relays(),
            report.bitsPerSecond(),
            connection != null && connection.queueStood())
        .map(best ->
            "--via %s, %s by the plan"
                .formatted(String.join(",", best.relays()), Quantities.rate(best.bitsPerSecond())))
        .orElse("");
  }

  /** Whether another way could have been faster, as far as the ends are known. */
  private boolean isLimitedByPath() {
    TransferAccount account = account();
    if (report.slow() == null) { // A processor or a rate limit may have slowed several ways.
      return report.oneWay() && account != null && account.limitedBy() == TransferLimit.NETWORK;
    }
    boolean ready =
        account == null || !report.oneWay() || account.limitedBy() != TransferLimit.APPLICATION;
    return ready && isSlow(Bottleneck.PATH);
  }

  /** Both remedies if there is room, otherwise the relays, whose rate is known. */
  private static String faster(String what, @Nullable String remedy, String relays) {
    if (remedy == null || relays.isEmpty()) {
      return remedy == null ? relays : remedy;
    }
    String both = relays + "; or " + remedy;
    return fits(sentence("", what, "", both)) ? both : relays;
  }

  private static boolean fits(String sentence) {
    return sentence.length() <= MOST_CHARACTERS;
  }

  private static String sentence(String carried, String what, String full, String faster) {
    return Stream.of(carried, what, full, faster.isEmpty() ? "" : "faster: " + faster)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("; "));
  }
}
