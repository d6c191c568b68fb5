package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.api.orchestrator.TransferLimit;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What clients' own transfers have shown of the paths from the client: to a destination directly,
 * or to a first relay. Kept in memory, for the {@value #MOST} paths that were used last.
 */
@Component
public class ClientTransfers {
  static final int MOST = 1_000;

  /** What is less than both says more of the set-up than of the path. */
  static final long LEAST_BYTES = 1 << 20;

  static final double LEAST_SECONDS = 3;

  private final Timekeeper time;
  private final Map<Path, Transfers> paths =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Transfers> eldest) {
          return size() > MOST;
        }
      };

  /**
   * A path from a client's address.
   *
   * @param to a destination as HOST:PORT, or a relay's name
   */
  private record Path(String client, String to) {}

  ClientTransfers(Timekeeper time) {
    this.time = time;
  }

  /** A client's transfer has ended. */
  synchronized void reported(String client, TransferReport report) {
    HostPort destination = Destinations.parse(report.destination());
    if (report.bytes() < LEAST_BYTES
        && Byte.SIZE * report.bytes() < LEAST_SECONDS * report.bitsPerSecond()) {
      return;
    }
    List<String> relays = Objects.requireNonNullElse(report.relays(), List.of());
    Path path = new Path(client, relays.isEmpty() ? destination.toString() : relays.getFirst());
    Transfers before = paths.getOrDefault(path, Transfers.NONE);
    paths.put(path, with(before, report, time.steady()));
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
    Long steadyAgain = account.steadyRetransmittedSegments();
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
                    byNetwork));
  }

  private static OptionalDouble optional(@Nullable Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /**
   * What is known of a path.
   *
   * @param to a destination as HOST:PORT, or a relay's name
   */
  synchronized Transfers of(String client, String to) {
    return paths.getOrDefault(new Path(client, to), Transfers.NONE);
  }
}
