package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Evidence of clients' own transfers on the paths from the client: to a destination directly, or to
 * a first relay. Kept for the {@value #MOST} paths that were used last, each for a day after its
 * last transfer, and stored soon after a change.
 */
@Component
public class ClientTransfers {
  static final int MOST = 1_000;

  /**
   * Size below which a transfer that took less than {@link #LEAST_SECONDS}, too, says more of the
   * set-up than of the path.
   */
  static final long LEAST_BYTES = 1 << 20;

  static final double LEAST_SECONDS = 3;

  private static final Duration KEPT = Duration.ofDays(1);
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);

  private final ClientTransferStore store;
  private final Timekeeper time;

  /** The paths, in the order of their last use. */
  private final Map<ClientPath, Known> paths = new LinkedHashMap<>(16, 0.75f, true);

  private final Set<ClientPath> changed = new HashSet<>();
  private @Nullable PeriodicTask saving;

  /** A path's transfers; times are steady. */
  private record Known(Transfers transfers, Instant updatedAt) {}

  ClientTransfers(ClientTransferStore store, Timekeeper time) {
    this.store = store;
    this.time = time;
    store.removeBefore(time.timeOfDay(time.steady()).minus(KEPT));
    store
        .all()
        .forEach((path, shown) -> {
          Transfers steady = shown.at(time::steady);
          steady
              .seenSince(time.steady().minus(KEPT))
              .ifPresent(at -> paths.put(path, new Known(steady, at)));
        });
    forgetMost();
  }

  /** A client's transfer has ended. */
  synchronized void reported(String client, TransferReport report) {
    HostPort destination = Destinations.parse(report.destination());
    if (report.bytes() < LEAST_BYTES
        && Byte.SIZE * report.bytes() < LEAST_SECONDS * report.bitsPerSecond()) {
      return;
    }
    List<String> relays = Objects.requireNonNullElse(report.relays(), List.of());
    ClientPath path =
        new ClientPath(client, relays.isEmpty() ? destination.toString() : relays.getFirst());
    Known known = paths.get(path);
    Instant now = time.steady();
    paths.put(
        path,
        new Known(with(known == null ? Transfers.NONE : known.transfers(), report, now), now));
    changed.add(path);
    forgetMost();
  }

  private void forgetMost() {
    Iterator<ClientPath> eldest = paths.keySet().iterator();
    while (paths.size() > MOST) {
      changed.add(eldest.next());
      eldest.remove();
    }
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    saving = PeriodicTask.every(BETWEEN_SAVES, "client-path-store", this::save);
  }

  @PreDestroy
  void stop() {
    if (saving != null) {
      saving.close();
    }
    save();
  }

  /** Stores what has changed, without what is too old. */
  void save() {
    Map<ClientPath, Optional<Known>> snapshot = new HashMap<>();
    synchronized (this) {
      Instant oldest = time.steady().minus(KEPT);
      paths
          .entrySet()
          .removeIf(one -> {
            boolean old = one.getValue().updatedAt().isBefore(oldest);
            if (old) {
              changed.add(one.getKey());
            }
            return old;
          });
      for (ClientPath path : changed) {
        snapshot.put(path, Optional.ofNullable(paths.get(path)));
      }
      changed.clear();
    }
    snapshot.forEach((path, known) ->
        known.ifPresentOrElse(
            kept ->
                store.save(
                    path, kept.transfers().at(time::timeOfDay), time.timeOfDay(kept.updatedAt())),
            () -> store.remove(path)));
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

  /** Empty where its congestion control has no model, or nothing was sent. */
  private static Optional<LinkTransfer> transfer(double bitsPerSecond, TransferAccount account) {
    Long steadySent = account.steadySentSegments();
    // A burst of losses costs a congestion control no more than one of them.
    Long steadyAgain =
        account.steadyLossEvents() == null
            ? account.steadyRetransmittedSegments()
            : account.steadyLossEvents();
    // The beginning overflows the queue that it fills: its losses are its own.
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
   * @param to a destination as HOST:PORT, or a relay's name
   */
  synchronized Transfers of(String client, String to) {
    Known known = paths.get(new ClientPath(client, to));
    return known == null ? Transfers.NONE : known.transfers();
  }
}
