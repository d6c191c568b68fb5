package io.cascade.orchestrator.relays;

import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Looks again and again who fell silent, who stayed so for too long, and how far relays are. */
@Component
class RelayWatch {
  private static final Duration BETWEEN_MEASUREMENTS = Duration.ofSeconds(10);

  private final RelayRegistry registry;
  private final LostRelays lost;
  private final ControlRoundTrips roundTrips;
  private final Heartbeats heartbeats;
  private final Timekeeper time;
  private long measuredAt;
  private @Nullable PeriodicTask task;

  RelayWatch(
      RelayRegistry registry,
      ControlRoundTrips roundTrips,
      Heartbeats heartbeats,
      List<RelayUse> uses,
      ForgetLost forgetLost,
      Timekeeper time) {
    this.registry = registry;
    this.lost = new LostRelays(registry::all, registry::forgetLost, uses, forgetLost, time);
    this.roundTrips = roundTrips;
    this.heartbeats = heartbeats;
    this.time = time;
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    registry.all().forEach(roundTrips::measureSoon);
    measuredAt = time.mark();
    task =
        PeriodicTask.every(
            heartbeats.interval().dividedBy(4),
            "relay-watch",
            registry::noticeSilence,
            lost::look,
            this::measure);
  }

  private void measure() {
    if (time.passed(measuredAt, BETWEEN_MEASUREMENTS)) {
      measuredAt = time.mark();
      registry.all().stream().filter(relay -> !relay.isLost()).forEach(roundTrips::measureSoon);
    }
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
  }
}
