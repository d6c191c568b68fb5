package io.cascade.studies.crowd;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HealthStatus;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.RelayHealth;
import io.cascade.api.relay.SetupTimings;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamTotals;
import io.cascade.relay.chain.ChainParts;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.control.RelayState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The parts of chains at a simulated relay. They carry no streams. */
final class SimulatedParts implements ChainParts, RelayState {
  private static final int FIRST_INGRESS_PORT = 20_000;

  private static final StreamTotals NOTHING =
      new StreamTotals(0L, 0L, 0L, 0L, 0L, 0L, null, null, null, null, List.of(), List.of(), null);

  private final String name;
  private final UUID instance;
  private final String host;
  private final Latencies late;
  private final Map<UUID, Held> parts = new ConcurrentHashMap<>();
  private final Map<Integer, Long> renewedAt = new ConcurrentHashMap<>();
  private final AtomicInteger ports = new AtomicInteger(FIRST_INGRESS_PORT);

  private record Held(ChainPart part, @Nullable Integer port) {}

  /**
   * @param late receives the delays of lease renewals beyond a third of the lease
   */
  SimulatedParts(String name, UUID instance, String host, Latencies late) {
    this.name = name;
    this.instance = instance;
    this.host = host;
    this.late = late;
  }

  @Override
  public InstalledPart install(UUID chain, ChainPart part, long epoch) throws PartRefused {
    Held before = parts.get(chain);
    if (before != null && revision(part) < revision(before.part())) {
      throw new PartRefused(PartRefused.Kind.STALE, "a later revision is here");
    }
    Ingress ingress = part.inlets().getFirst().ingress();
    Integer port =
        ingress == null
            ? null
            : ingress.port() != 0
                ? ingress.port()
                : before != null ? before.port() : Integer.valueOf(ports.getAndIncrement());
    parts.put(chain, new Held(part, port));
    return new InstalledPart(
        chain,
        Instant.now().plusSeconds(part.leaseSeconds()),
        before != null && before.part().equals(part),
        port == null ? null : host,
        port,
        0,
        new SetupTimings(0.1, 0.1, 0.1, 0.3),
        null);
  }

  private static long revision(ChainPart part) {
    return Objects.requireNonNullElse(part.revision(), 0L);
  }

  @Override
  public void hear(long epoch) {}

  @Override
  public Optional<PartStatus> status(UUID chain) {
    return Optional.ofNullable(parts.get(chain)).map(held -> status(chain, held));
  }

  private static PartStatus status(UUID chain, Held held) {
    return new PartStatus(
        chain,
        PartState.READY,
        Instant.now().plusSeconds(held.part().leaseSeconds()),
        null,
        held.port(),
        0,
        NOTHING,
        null,
        null,
        null);
  }

  @Override
  public List<PartStatus> list() {
    return parts.entrySet().stream().map(held -> status(held.getKey(), held.getValue())).toList();
  }

  @Override
  public Optional<List<StreamReport>> streams(UUID chain) {
    return parts.containsKey(chain) ? Optional.of(List.of()) : Optional.empty();
  }

  @Override
  public void remove(UUID chain, boolean abort, long epoch, long revision) {
    parts.remove(chain);
  }

  @Override
  public LeaseRenewed renew(LeaseRenewal renewal, long epoch) {
    long now = System.nanoTime();
    Long before = renewedAt.put(renewal.leaseSeconds(), now);
    if (before != null) {
      long third = TimeUnit.SECONDS.toNanos(renewal.leaseSeconds()) / 3;
      late.record(Math.max(0, now - before - third));
    }
    return new LeaseRenewed(
        renewal.chains().stream().filter(parts::containsKey).toList(),
        renewal.chains().stream().filter(chain -> !parts.containsKey(chain)).toList());
  }

  @Override
  public Limits limits() {
    return new Limits(10_000, 256L << 20, 4L << 20, 25);
  }

  @Override
  public Limits change(Limits wanted) {
    return limits();
  }

  @Override
  public @Nullable String blocked() {
    return null;
  }

  @Override
  public RelayHealth health() {
    return new RelayHealth(
        HealthStatus.UP, name, instance, "simulated", 1.0, 0L, 0L, 256L << 20, null);
  }
}
