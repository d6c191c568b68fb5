package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Gives relays their parts again: those that restarted, and those whose lease lapsed. Their
 * neighbours get theirs, too, since the keys they share change. Streams that run elsewhere in the
 * chain go on.
 */
@Component
class ChainRepair {
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final int MOST_DOUBLINGS = 6;

  private final ChainBook book;
  private final ChainSetup setup;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final HopKeys hopKeys;
  private final Timekeeper time;
  private final Map<UUID, Wait> waits = new ConcurrentHashMap<>();

  private record Wait(long since, int failures) {}

  ChainRepair(
      ChainBook book,
      ChainSetup setup,
      RelayCalls calls,
      RelayRegistry relays,
      HopKeys hopKeys,
      Timekeeper time) {
    this.book = book;
    this.setup = setup;
    this.calls = calls;
    this.relays = relays;
    this.hopKeys = hopKeys;
    this.time = time;
  }

  @EventListener
  void on(RelayFact.Restarted fact) {
    String relay = fact.relay().name();
    for (Chain chain : book.through(relay)) {
      missing(chain, relay, relay + " restarted and gets its part again");
    }
  }

  @EventListener
  void on(RelayFact.Recovered fact) {
    book.through(fact.relay().name()).forEach(chain -> waits.remove(chain.id()));
  }

  @EventListener
  void on(RelayFact.Lost fact) {
    String relay = fact.relay().name();
    for (Chain chain : book.through(relay)) {
      book.trouble(
          chain, relay, relay + " is lost: silent since " + fact.relay().lastSeenAt(), false);
    }
  }

  /** Notes that a relay lacks its part, and sees to it soon. */
  void missing(Chain chain, String relay, String words) {
    book.trouble(chain, relay, words, true);
    waits.remove(chain.id());
    calls.soon(() -> repair(chain));
  }

  /** Tries again what did not succeed, after a wait that doubles up to half a minute. */
  void round() {
    for (Chain chain : book.carrying()) {
      Wait wait = waits.get(chain.id());
      if (!chain.missing().isEmpty() && (wait == null || over(wait))) {
        calls.soon(() -> repair(chain));
      }
    }
    waits
        .keySet()
        .removeIf(id -> book.unended().stream().noneMatch(chain -> chain.id().equals(id)));
  }

  private boolean over(Wait wait) {
    return time.passed(
        wait.since(), FIRST_WAIT.multipliedBy(1L << Math.min(wait.failures(), MOST_DOUBLINGS)));
  }

  private void repair(Chain chain) {
    // Whoever holds it opens, repairs or closes; the next round looks again.
    if (!chain.work().tryLock()) {
      return;
    }
    try {
      Set<String> missing = chain.missing();
      Installation before = chain.installation();
      if (!missing.isEmpty() && before != null && chain.carries()) {
        repair(chain, before, missing);
      }
    } finally {
      chain.work().unlock();
    }
  }

  private void repair(Chain chain, Installation before, Set<String> missing) {
    SortedSet<Integer> touched = before.touchedBy(missing);
    for (int place : touched) {
      String name = before.relays().get(place);
      if (relays.find(name).filter(RegisteredRelay::isUp).isEmpty()) {
        postpone(chain); // A neighbour that is away would keep the old key.
        return;
      }
    }
    Installation after = before.again(missing, hopKeys);
    book.save(chain, after);
    ChainSetup.Outcome outcome = setup.install(chain, after, touched, SetupMode.PARALLEL, 1);
    Endpoint known = before.ingress();
    Endpoint opened = outcome.ingress();
    if (opened != null && known != null && !opened.port().equals(known.port())) {
      // It had lost its part, too, and nobody knew. Asked again, it is asked for the known port.
      String ingress = before.relays().getFirst();
      missing(chain, ingress, ingress + " opened another port than applications know");
      return;
    }
    if (outcome.complete()) {
      waits.remove(chain.id());
      book.mended(chain, missing, opened == null ? after : after.reachedAt(opened));
      return;
    }
    ChainSetup.Failure culprit = outcome.culprit();
    String words = "failed at " + culprit.relay() + ": " + culprit.words();
    for (String relay : missing) {
      book.trouble(chain, relay, relay + " must get its part again, which " + words, true);
    }
    postpone(chain);
  }

  private void postpone(Chain chain) {
    waits.merge(
        chain.id(),
        new Wait(time.mark(), 0),
        (wait, now) -> new Wait(now.since(), wait.failures() + 1));
  }
}
