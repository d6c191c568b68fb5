package io.cascade.orchestrator.relays;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Forgets relays that have been lost for long, and sooner those that announced that they stop,
 * unless open chains use them.
 *
 * <p>The time is measured by the steady clock, so that a step of the time of day has no effect.
 * Only the time before this orchestrator started is measured by the time of day, from when the
 * relay was last seen. Not thread-safe.
 */
final class LostRelays {
  /** A relay that stopped may come back after an upgrade or a restart of its machine. */
  private static final Duration STOPPED_KEPT = Duration.ofHours(1);

  private final Supplier<List<RegisteredRelay>> relays;
  private final Consumer<RegisteredRelay> forget;
  private final List<RelayUse> uses;
  private final ForgetLost limit;
  private final Timekeeper time;
  private final Instant startedAt;
  private final long started;

  /** Marks at which relays were lost. */
  private final Map<String, Long> since = new HashMap<>();

  /**
   * @param relays all registered relays
   * @param forget removes a relay from the registry
   */
  LostRelays(
      Supplier<List<RegisteredRelay>> relays,
      Consumer<RegisteredRelay> forget,
      List<RelayUse> uses,
      ForgetLost limit,
      Timekeeper time) {
    this.relays = relays;
    this.forget = forget;
    this.uses = uses;
    this.limit = limit;
    this.time = time;
    this.startedAt = time.now();
    this.started = time.mark();
  }

  /** Forgets the relays that are due. */
  void look() {
    Set<String> lost = new HashSet<>();
    for (RegisteredRelay relay : relays.get()) {
      if (relay.isGone()) {
        lost.add(relay.name());
        long mark = since.computeIfAbsent(relay.name(), _ -> lostSince(relay));
        if (time.passed(mark, kept(relay)) && !isUsed(relay.name())) {
          forget.accept(relay);
        }
      }
    }
    since.keySet().retainAll(lost);
  }

  private Duration kept(RegisteredRelay relay) {
    boolean sooner = relay.hasStopped() && STOPPED_KEPT.compareTo(limit.after()) < 0;
    return sooner ? STOPPED_KEPT : limit.after();
  }

  private long lostSince(RegisteredRelay relay) {
    if (!relay.lastSeenAt().isBefore(startedAt)) {
      return time.mark();
    }
    return started - Duration.between(relay.lastSeenAt(), startedAt).toNanos();
  }

  private boolean isUsed(String relay) {
    return uses.stream().anyMatch(use -> !use.of(relay).isEmpty());
  }
}
