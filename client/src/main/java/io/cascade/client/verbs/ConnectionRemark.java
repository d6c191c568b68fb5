package io.cascade.client.verbs;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.contract.Quantities;
import io.cascade.kernel.tcp.StandingQueue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel's counters show of the limits of the connection that carried the larger part of a
 * transfer. If relays carried, the connection leads to the first of them.
 */
final class ConnectionRemark {
  /** Shorter transfers end before the counters show their limits, unless round trips are short. */
  private static final double TELLING_SECONDS = 3;

  /** Round trips after which the counters show the limits: slow start takes some ten. */
  private static final double TELLING_ROUND_TRIPS = 30;

  /** Loss rate that slows loss-based controls down on any path. */
  private static final double NOTABLE_LOSS = 1e-4;

  private final SendReport report;
  private final TransferAccount account;
  private final boolean changesControl;

  /**
   * @param changesControl whether the user allows connections to use another congestion control
   *     than the host's default
   */
  ConnectionRemark(SendReport report, TransferAccount account, boolean changesControl) {
    this.report = report;
    this.account = account;
    this.changesControl = changesControl;
  }

  /** What limited the transfer; empty where too little is known. */
  Optional<SendLimit> limit() {
    if (!isTelling()) {
      return Optional.empty();
    }
    // With several ways, each waits for blocks that another one has.
    if (!report.oneWay() && account.limitedBy() != TransferLimit.NETWORK) {
      return Optional.empty();
    }
    return switch (account.limitedBy()) {
      case APPLICATION ->
          Optional.of(
              new SendLimit(
                  "this host made the bytes ready more slowly than the network carried them: "
                      + (report.slow() == null ? "its disk, or its processor" : "its processor")));
      case RECEIVER -> Optional.of(new SendLimit(ofPeer()));
      case SENDER_BUFFER ->
          Optional.of(
              new SendLimit(
                  "this host's send buffer was full; raise its limit for longer paths: sysctl"
                      + " net.ipv4.tcp_wmem"));
      case SHARED_QUEUE, NETWORK -> Optional.ofNullable(ofNetwork());
    };
  }

  /**
   * The rate at which the link was full, in bit/s; null where it was not, or this is unknown. Hops
   * after the first relay are not seen.
   */
  @Nullable Double fullBitsPerSecond() {
    boolean known =
        isTelling()
            && report.oneWay()
            && report.relays().isEmpty()
            && account.limitedBy() == TransferLimit.NETWORK
            && queueStood();
    return known ? account.steadyBitsPerSecond() : null;
  }

  /** Whether the connection's path had a standing queue. */
  boolean queueStood() {
    Double loaded = account.loadedRttMillis();
    return loaded != null && StandingQueue.stands(1e3 * loaded, 1e3 * account.minRttMillis());
  }

  private boolean isTelling() {
    return report.seconds() >= TELLING_SECONDS
        || (account.loadedRttMillis() != null
            && 1e3 * report.seconds() >= TELLING_ROUND_TRIPS * account.minRttMillis());
  }

  private String ofPeer() {
    return report.relays().isEmpty()
        ? "the receiver read no faster: %sits largest receive buffer (net.ipv4.tcp_rmem there)"
            .formatted(report.slow() == null ? "its disk, or " : "")
        : "%s read no faster: what comes behind it, or its receive buffer"
            .formatted(report.relays().getFirst());
  }

  private @Nullable SendLimit ofNetwork() {
    boolean relayed = !report.relays().isEmpty();
    Double loaded = account.loadedRttMillis();
    if (loaded != null && queueStood()) {
      return new SendLimit(
          "the link%s was full: %s stood in its queue, on a round trip of %s"
              .formatted(
                  relayed ? " to " + report.relays().getFirst() : "",
                  Quantities.seconds((loaded - account.minRttMillis()) / 1e3),
                  Quantities.seconds(account.minRttMillis() / 1e3)));
    }
    double loss = loss();
    if (loss < NOTABLE_LOSS) {
      return null;
    }
    String lost =
        "%s of the packets%s were lost before any queue built up"
            .formatted(
                Quantities.percent(loss), relayed ? " to " + report.relays().getFirst() : "");
    if (!LossResponse.CONTROL.equals(account.congestionControl())) {
      return new SendLimit(
          "%s, which %s takes for a full link".formatted(lost, account.congestionControl()),
          changesControl
              ? "modprobe tcp_bbr, and name bbr in net.ipv4.tcp_allowed_congestion_control"
              : "allow bbr with --controls");
    }
    boolean isUncoded = report.coded() == null && !relayed;
    return new SendLimit(
        lost, isUncoded ? "let UDP through to the receiver's port, for coded sessions" : null);
  }

  private double loss() {
    Long sent = account.steadySentSegments();
    Long again = account.steadyRetransmittedSegments();
    return sent == null || again == null || sent == 0
        ? (double) account.retransmittedSegments() / account.sentSegments()
        : (double) again / sent;
  }
}
