package io.cascade.studies.crowd;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.EventType;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** Simulated relays of one orchestrator, and measurements of its answers to them. */
final class Crowd implements AutoCloseable {
  private static final int PAUSE_MILLIS = 500;

  /**
   * Switched off, since each of a thousand relays would log that the orchestrator is not reachable.
   */
  private static final Logger RELAYS = Logger.getLogger("io.cascade.relay");

  private final Latencies heartbeats = new Latencies();
  private final Latencies late = new Latencies();
  private final LongAdder lost = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong lastEvent = new AtomicLong();
  private final OrchestratorClient client;
  private final Tap tap;
  private final List<SimulatedRelay> relays;

  /** Starts {@code count} relays. */
  Crowd(URI orchestrator, int count) throws IOException {
    RELAYS.setLevel(Level.SEVERE);
    client = new OrchestratorClient(orchestrator, null);
    tap = Tap.open(orchestrator, heartbeats);
    OrchestratorClient tapped = new OrchestratorClient(tap.address(), null);
    relays =
        IntStream.range(0, count)
            .mapToObj(number -> new SimulatedRelay(number, tapped, client, late))
            .toList();
    Thread.ofVirtual().name("crowd-events").start(this::follow);
    relays.forEach(SimulatedRelay::start);
  }

  /** Times from heartbeats to their answers. */
  Latencies heartbeats() {
    return heartbeats;
  }

  /** Delays of lease renewals beyond a third of the lease. */
  Latencies late() {
    return late;
  }

  /** Bytes of registrations, heartbeats and their answers since the last call. */
  long bytes() {
    return tap.bytes();
  }

  /** Number of times that a relay was reported as lost. */
  long lost() {
    return lost.sum();
  }

  private void follow() {
    try {
      while (!closed.get()) {
        try {
          client.follow(
              lastEvent.get(),
              event -> {
                lastEvent.set(event.id());
                if (event.type() == EventType.RELAY_LOST) {
                  lost.increment();
                }
                return !closed.get();
              });
        } catch (UnreachableException | ProblemException e) {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.set(true);
    relays.forEach(relay -> Thread.startVirtualThread(relay::close));
    tap.close();
  }
}
