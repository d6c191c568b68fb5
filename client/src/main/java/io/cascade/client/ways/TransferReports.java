package io.cascade.client.ways;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.client.measure.ConnectionAccount;
import io.cascade.client.transfer.FileTransfer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports the results of a transfer to the orchestrator for later plans. */
public final class TransferReports {
  private static final String UNTOLD = "the rate was not reported, so later plans do not use it: ";

  /** Time-out of the reports. */
  private static final Duration TELLING = Duration.ofSeconds(2);

  /** The orchestrator ignores a transfer that is below both limits. */
  private static final long LEAST_BYTES = 1 << 20;

  private static final double LEAST_SECONDS = 3;

  private final OrchestratorClient client;
  private final HostPort to;
  private final Consumer<String> note;

  /**
   * @param note told of what could not be reported
   */
  public TransferReports(OrchestratorClient client, HostPort to, Consumer<String> note) {
    this.client = client;
    this.to = to;
    this.note = note;
  }

  /**
   * Begins to report {@link #ended what arrived} in the background.
   *
   * @return waits until it was reported, for two seconds at most
   */
  public Runnable tell(@Nullable Share direct, @Nullable Share relayed, Share whole) {
    Thread telling = Thread.startVirtualThread(() -> ended(direct, relayed, whole));
    return () -> {
      try {
        if (!telling.join(TELLING)) {
          note.accept(UNTOLD + "the orchestrator does not answer in time");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /**
   * Reports what arrived by each way; if there was a single way, with the transfer's own rate.
   *
   * @param direct null where there was a single way, as {@code relayed}
   */
  public void ended(@Nullable Share direct, @Nullable Share relayed, Share whole) {
    if (direct == null && relayed == null) {
      report(whole.relays(), whole.bytes(), whole.bitsPerSecond(), whole.account());
    } else {
      shares(direct, relayed);
    }
  }

  /**
   * Reports what a transfer has shown that was interrupted.
   *
   * @param chain of its relays; null where it used none
   */
  public void broken(FileTransfer transfer, @Nullable Chain chain) {
    Share direct = Share.of(transfer, DirectWays.TCP);
    Share relayed = Share.of(transfer.share(RelayedWay.NAME).orElse(null), chain);
    shares(direct, relayed);
  }

  /**
   * Reports what each way carried. Plans do not model coded sessions to a destination, and so what
   * these carried is not reported, nor what chains over different relays carried together.
   */
  public void shares(@Nullable Share direct, @Nullable Share relayed) {
    boolean shared =
        direct != null
            && relayed != null
            && ConnectionAccount.shareAQueue(direct.account(), relayed.account());
    Share oneRoute = relayed == null || relayed.relays().isEmpty() ? null : relayed;
    Stream.of(direct, oneRoute)
        .flatMap(Stream::ofNullable)
        .forEach(share -> {
          TransferAccount account = share.account();
          report(
              share.relays(),
              share.bytes(),
              share.bitsPerSecond(),
              shared && account != null
                  ? ConnectionAccount.limitedBy(account, TransferLimit.SHARED_QUEUE)
                  : account);
        });
  }

  /**
   * Reports one way. Does not fail: the transfer has succeeded.
   *
   * @param relays empty for directly
   * @param account of the connection to the first of them, or to the destination
   */
  public void report(
      List<String> relays, long bytes, double bitsPerSecond, @Nullable TransferAccount account) {
    boolean little = bytes < LEAST_BYTES && Byte.SIZE * bytes < LEAST_SECONDS * bitsPerSecond;
    if (little || !(bitsPerSecond > 0)) {
      return;
    }
    try {
      client.report(
          new TransferReport(
              to.toString(), bytes, bitsPerSecond, relays.isEmpty() ? null : relays, account));
    } catch (ProblemException | UnreachableException e) {
      note.accept(UNTOLD + e.getMessage());
    }
  }
}
