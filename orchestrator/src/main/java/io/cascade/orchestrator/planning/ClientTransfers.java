package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.PathEnds;
import io.cascade.orchestrator.links.PathTransferStore;
import io.cascade.orchestrator.links.PathTransfers;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.security.SignIn;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Evidence from clients' own transfers, stored across restarts, on the paths from the client: to a
 * destination directly, or to a first relay.
 */
@Component
public class ClientTransfers {
  /**
   * Size below which a transfer that also took less than {@link #LEAST_SECONDS} shows more of the
   * set-up than of the path.
   */
  static final long LEAST_BYTES = 1 << 20;

  static final double LEAST_SECONDS = 3;

  private final PathTransfers paths;
  private final Timekeeper time;

  @Autowired
  ClientTransfers(JdbcClient db, Timekeeper time) {
    this(new PathTransferStore(db, PathTransferStore.Table.CLIENT_PATH), time);
  }

  ClientTransfers(PathTransferStore store, Timekeeper time) {
    this.paths = new PathTransfers(store, SignIn::network, time);
    this.time = time;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    paths.start("client-path-store");
  }

  @PreDestroy
  void stop() {
    paths.stop();
  }

  /** Adds the evidence of a client's transfer that has ended. */
  void reported(String client, TransferReport report) {
    HostPort destination = Destinations.parse(report.destination());
    if (report.bytes() < LEAST_BYTES
        && Byte.SIZE * report.bytes() < LEAST_SECONDS * report.bitsPerSecond()) {
      return;
    }
    List<String> relays = Objects.requireNonNullElse(report.relays(), List.of());
    Instant now = time.steady();
    paths.add(
        new PathEnds(client, relays.isEmpty() ? destination.toString() : relays.getFirst()),
        before -> with(before, report, now));
  }

  /** Stores pending changes. */
  void save() {
    paths.save();
  }

  private static Transfers with(Transfers before, TransferReport report, Instant now) {
    TransferAccount account = report.account();
    Optional<LinkTransfer> counted =
        account == null ? Optional.empty() : transfer(report.bitsPerSecond(), account);
    if (account == null || counted.isEmpty()) {
      return before.andAtLeast(report.bitsPerSecond(), now);
    }
    return account.limitedBy() == TransferLimit.SHARED_QUEUE
        ? before.andShared(now, EvidenceSource.STREAM, counted.get())
        : before.and(now, EvidenceSource.STREAM, counted.get(), report.bitsPerSecond());
  }

  /** Evidence of a transfer; empty if its congestion control has no model, or nothing was sent. */
  private static Optional<LinkTransfer> transfer(double bitsPerSecond, TransferAccount account) {
    Long steadySent = account.steadySentSegments();
    // A congestion control reacts to a burst of losses as to a single one.
    Long steadyAgain =
        account.steadyLossEvents() == null
            ? account.steadyRetransmittedSegments()
            : account.steadyLossEvents();
    // The sender's slow start overflows the queue; these losses are not the path's own.
    boolean apart = steadySent != null && steadyAgain != null && steadySent > 0;
    long sent = apart ? Objects.requireNonNull(steadySent) : account.sentSegments();
    long again = apart ? Objects.requireNonNull(steadyAgain) : account.retransmittedSegments();
    boolean byNetwork =
        account.limitedBy() == TransferLimit.NETWORK
            || account.limitedBy() == TransferLimit.SHARED_QUEUE;
    Double loaded = account.loadedRttMillis();
    return sent <= 0
        ? Optional.empty()
        : CongestionControl.named(account.congestionControl())
            .map(control ->
                new LinkTransfer(
                    control,
                    bitsPerSecond,
                    optional(account.steadyBitsPerSecond()),
                    account.seconds(),
                    sent,
                    again,
                    account.minRttMillis() / 1e3,
                    loaded == null ? OptionalDouble.empty() : OptionalDouble.of(loaded / 1e3),
                    byNetwork))
            .map(found -> byNetwork ? found : found.withoutLosses());
  }

  private static OptionalDouble optional(@Nullable Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /**
   * Returns the evidence on a path.
   *
   * @param to a destination as HOST:PORT, or name of a relay
   */
  Transfers of(String client, String to) {
    return paths.of(new PathEnds(client, to));
  }
}
