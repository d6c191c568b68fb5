package io.cascade.orchestrator.relays;

import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.TaskWatch;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Periodically updates the status of silent relays, forgets lost ones, and measures round-trip
 * times.
 */
@Component
class RelayWatch {
  private static final Duration BETWEEN_MEASUREMENTS = Duration.ofSeconds(10);
  private static final Duration BETWEEN_MEASUREMENTS_AT_REST = Duration.ofMinutes(1);

  private final RelayRegistry registry;
  private final LostRelays lost;
  private final ControlRoundTrips roundTrips;
  private final HeartbeatIntervals heartbeats;
  private final Timekeeper time;
  private final TaskWatch tasks;
  private long measuredAt;

  /** Relays whose control ports are being checked. */
  private final Set<String> asking = ConcurrentHashMap.newKeySet();

  private @Nullable PeriodicTask task;

  RelayWatch(
      RelayRegistry registry,
      ControlRoundTrips roundTrips,
      HeartbeatIntervals heartbeats,
      List<RelayUse> uses,
      ForgetLost forgetLost,
      Timekeeper time,
      TaskWatch tasks) {
    this.registry = registry;
    this.lost = new LostRelays(registry::all, registry::forgetLost, uses, forgetLost, time);
    this.roundTrips = roundTrips;
    this.heartbeats = heartbeats;
    this.time = time;
    this.tasks = tasks;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    registry.all().forEach(roundTrips::measureSoon);
    measuredAt = time.mark();
    task =
        PeriodicTask.every(
            heartbeats.interval(),
            "relay-watch",
            registry::noticeSilence,
            this::askOverdue,
            lost::look,
            this::measure,
            tasks.endOfRound("relay-watch", heartbeats.interval()));
  }

  private void askOverdue() {
    registry.overdue().stream().filter(relay -> asking.add(relay.name())).forEach(this::askSoon);
  }

  private void measure() {
    Duration between = registry.isAtRest() ? BETWEEN_MEASUREMENTS_AT_REST : BETWEEN_MEASUREMENTS;
    if (time.passed(measuredAt, between)) {
      measuredAt = time.mark();
      registry.all().stream().filter(relay -> !relay.isGone()).forEach(roundTrips::measureSoon);
    }
  }

  private void askSoon(RegisteredRelay relay) {
    Thread.ofVirtual()
        .name("control-asked-" + relay.name())
        .start(() -> {
          try {
            if (roundTrips.isRefused(relay)) {
              registry.refused(relay);
            }
          } finally {
            asking.remove(relay.name());
          }
        });
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
  }
}
