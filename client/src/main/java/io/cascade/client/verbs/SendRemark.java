package io.cascade.client.verbs;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.client.transfer.Bottleneck;
import io.cascade.client.ways.Share;
import io.cascade.contract.Quantities;
import io.cascade.kernel.tcp.StandingQueue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says in a sentence what limited a transfer, and what would make the next one faster: from what
 * the kernel counted on its direct connection, where that carried the larger part.
 */
final class SendRemark {
  /** Shorter transfers are over before it shows what limits them. */
  private static final double LEAST_SECONDS = 3;

  /** Losses that slow loss-based controls down on any path. */
  private static final double NOTABLE_LOSS = 1e-4;

  private final SendReport report;
  private final boolean changesControl;

  /**
   * @param changesControl whether connections could take another congestion control than the host's
   *     default, as far as their user goes
   */
  SendRemark(SendReport report, boolean changesControl) {
    this.report = report;
    this.changesControl = changesControl;
  }

  /** The sentence; empty where too little is known. */
  Optional<String> sentence() {
    if (report.seconds() < LEAST_SECONDS) {
      return Optional.empty();
    }
    if (isSlow(Bottleneck.DISK)) {
      return Optional.of("this host's disk gave the bytes more slowly than they could be carried");
    }
    if (isSlow(Bottleneck.FAR_END)) {
      return Optional.of(
          "the receiver stored the bytes more slowly than they came: its disk, or its processor");
    }
    Share direct = report.direct();
    TransferAccount account = direct == null ? report.account() : direct.account();
    if (account == null || !report.relays().isEmpty()) {
      return Optional.empty();
    }
    // Of several ways each waits for blocks that another one has.
    boolean alone = direct == null;
    if (!alone && account.limitedBy() != TransferLimit.NETWORK) {
      return Optional.empty();
    }
    return switch (account.limitedBy()) {
      case APPLICATION ->
          Optional.of(
              "this host made the bytes ready more slowly than the network carried them: "
                  + (report.slow() == null ? "its disk, or its processor" : "its processor"));
      case RECEIVER ->
          Optional.of(
              "the receiver took it no faster: %sits largest receive buffer (net.ipv4.tcp_rmem there)"
                  .formatted(report.slow() == null ? "its disk, or " : ""));
      case SENDER_BUFFER ->
          Optional.of(
              "this host's send buffer was full; raise its limit for longer paths: sysctl"
                  + " net.ipv4.tcp_wmem");
      case SHARED_QUEUE, NETWORK -> Optional.ofNullable(ofNetwork(account));
    };
  }

  private boolean isSlow(Bottleneck what) {
    return what.key().equals(report.slow());
  }

  private @Nullable String ofNetwork(TransferAccount account) {
    Double loaded = account.loadedRttMillis();
    if (loaded != null && StandingQueue.stands(1e3 * loaded, 1e3 * account.minRttMillis())) {
      return "the link was full: %s stood in its queue, on a round trip of %s"
          .formatted(
              Quantities.seconds((loaded - account.minRttMillis()) / 1e3),
              Quantities.seconds(account.minRttMillis() / 1e3));
    }
    double loss = loss(account);
    if (loss < NOTABLE_LOSS) {
      return null;
    }
    String lost = Quantities.percent(loss) + " of the packets were lost before any queue stood";
    if (!LossResponse.CONTROL.equals(account.congestionControl())) {
      return "%s, which %s takes for a full link; faster: %s"
          .formatted(
              lost,
              account.congestionControl(),
              changesControl
                  ? "modprobe tcp_bbr, and name bbr in net.ipv4.tcp_allowed_congestion_control"
                  : "allow bbr with --controls");
    }
    return report.coded() == null
        ? lost + "; faster: let UDP through to the receiver's port, for coded sessions"
        : lost;
  }

  private static double loss(TransferAccount account) {
    Long sent = account.steadySentSegments();
    Long again = account.steadyRetransmittedSegments();
    return sent == null || again == null || sent == 0
        ? (double) account.retransmittedSegments() / account.sentSegments()
        : (double) again / sent;
  }
}
