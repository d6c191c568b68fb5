package io.cascade.relay.control;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HealthStatus;
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
import io.cascade.relay.chain.LeaderEpoch;
import io.cascade.relay.chain.PartRefused;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A data plane that only remembers what it was told, and refuses or fails on demand. */
final class FakeChainParts implements ChainParts, RelayState {
  static final UUID INSTANCE = UUID.fromString("6f1d2c3b-0000-4000-8000-000000000001");
  private static final Instant EXPIRES = Instant.parse("2030-01-02T03:04:05Z");

  final Map<UUID, ChainPart> installed = new ConcurrentHashMap<>();
  final List<String> removed = new ArrayList<>();
  final LeaderEpoch epochs = new LeaderEpoch();
  final AtomicInteger installing = new AtomicInteger();
  volatile Limits limits =
      Limits.builder()
          .maxStreams(10)
          .memoryBytes(1L << 20)
          .streamBytes(65_536L)
          .drainSeconds(30)
          .build();
  volatile PartRefused.@Nullable Kind refusal;
  volatile @Nullable RuntimeException failure;
  volatile @Nullable CountDownLatch gate;

  @Override
  public InstalledPart install(UUID chain, ChainPart part, long epoch) throws PartRefused {
    epochs.hear(epoch);
    installing.incrementAndGet();
    CountDownLatch waiting = gate;
    if (waiting != null) {
      try {
        waiting.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (refusal != null) {
      throw new PartRefused(refusal, "because of " + refusal);
    }
    boolean renewed = installed.put(chain, part) != null;
    SetupTimings timings =
        SetupTimings.builder()
            .resolveMillis(1.0)
            .listenMillis(2.0)
            .warmMillis(3.0)
            .totalMillis(6.0)
            .build();
    return InstalledPart.builder()
        .chainId(chain)
        .leaseExpiresAt(EXPIRES)
        .renewed(renewed)
        .ingressHost("127.0.0.1")
        .ingressPort(20_000)
        .warmConnections(4)
        .timings(timings)
        .build();
  }

  @Override
  public void hear(long epoch) throws PartRefused {
    epochs.hear(epoch);
  }

  @Override
  public Optional<PartStatus> status(UUID chain) {
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    return Optional.ofNullable(installed.get(chain)).map(_ -> reported(chain));
  }

  @Override
  public List<PartStatus> list() {
    return installed.keySet().stream().map(FakeChainParts::reported).toList();
  }

  @Override
  public Optional<List<StreamReport>> streams(UUID chain) {
    return installed.containsKey(chain) ? Optional.of(List.of()) : Optional.empty();
  }

  @Override
  public synchronized void remove(UUID chain, boolean abort, long epoch, long revision)
      throws PartRefused {
    epochs.hear(epoch);
    installed.remove(chain);
    removed.add(chain + (abort ? " aborted" : " drained"));
  }

  @Override
  public LeaseRenewed renew(LeaseRenewal renewal, long epoch) throws PartRefused {
    epochs.hear(epoch);
    return new LeaseRenewed(
        renewal.chains().stream().filter(installed::containsKey).toList(),
        renewal.chains().stream().filter(chain -> !installed.containsKey(chain)).toList());
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public Limits change(Limits wanted) {
    limits =
        Limits.builder()
            .maxStreams(Objects.requireNonNullElse(wanted.maxStreams(), limits.maxStreams()))
            .memoryBytes(Objects.requireNonNullElse(wanted.memoryBytes(), limits.memoryBytes()))
            .streamBytes(Objects.requireNonNullElse(wanted.streamBytes(), limits.streamBytes()))
            .drainSeconds(Objects.requireNonNullElse(wanted.drainSeconds(), limits.drainSeconds()))
            .build();
    return limits;
  }

  @Override
  public @Nullable String blocked() {
    return null;
  }

  @Override
  public RelayHealth health() {
    return RelayHealth.builder()
        .status(HealthStatus.UP)
        .name("r1")
        .instance(INSTANCE)
        .transport("epoll")
        .uptimeSeconds(1.5)
        .runningStreams(2L)
        .heldBytes(3L)
        .memoryBudgetBytes(4L)
        .build();
  }

  private static PartStatus reported(UUID chain) {
    StreamTotals totals =
        StreamTotals.builder()
            .running(1L)
            .opened(2L)
            .completed(1L)
            .failed(0L)
            .forwardBytes(10L)
            .backwardBytes(20L)
            .failures(Map.of())
            .inlets(List.of())
            .outlets(List.of())
            .build();
    return PartStatus.builder()
        .chainId(chain)
        .state(PartState.READY)
        .leaseExpiresAt(EXPIRES)
        .warmConnections(4)
        .totals(totals)
        .build();
  }
}
