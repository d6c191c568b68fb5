package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Installs parts again at relays that restarted or lost a part otherwise. Their neighbours get
 * their parts again, too, since the keys that they share change. Streams of the chain through other
 * relays continue.
 */
@Component
class ChainRepair extends ChainUpkeepRule {
  /**
   * Most chains that are repaired at the same time: a relay that restarts may have lost a thousand
   * parts.
   */
  private static final int MOST_AT_A_TIME = 32;

  private final ChainSetup setup;
  private final RelayRegistry relays;
  private final HopKeys hopKeys;
  private final Semaphore running = new Semaphore(MOST_AT_A_TIME);

  ChainRepair(
      ChainBook book,
      ChainSetup setup,
      RelayCalls calls,
      RelayRegistry relays,
      HopKeys hopKeys,
      Retries retries) {
    super(book, calls, retries);
    this.setup = setup;
    this.relays = relays;
    this.hopKeys = hopKeys;
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
    book.through(fact.relay().name()).forEach(chain -> retries.forget(chain.id()));
  }

  /** Records that a relay lacks its part, and starts to install it again. */
  void missing(Chain chain, String relay, String words) {
    book.trouble(chain, relay, words, true);
    retries.forget(chain.id());
    soon(chain);
  }

  @Override
  void look(Chain chain) {
    book.settle(chain);
  }

  @Override
  boolean needs(Chain chain) {
    return chain.carries() && chain.installation() != null && !chain.missing().isEmpty();
  }

  /** Starts the repair, unless too many are running; a later round starts it then. */
  @Override
  void soon(Chain chain) {
    if (running.tryAcquire()) {
      calls.soon(() -> {
        try {
          keepIfFree(chain);
        } finally {
          running.release();
        }
      });
    }
  }

  @Override
  void keep(Chain chain) {
    repair(chain, Objects.requireNonNull(chain.installation()), chain.missing());
  }

  private void repair(Chain chain, Installation before, Set<String> missing) {
    List<String> touched = before.touchedBy(missing);
    for (String name : touched) {
      if (relays.find(name).filter(RegisteredRelay::isUp).isEmpty()) {
        retries.failed(chain.id()); // an unreachable neighbour would keep the old key
        return;
      }
    }
    Installation after = before.again(missing, hopKeys);
    book.save(chain, after);
    ChainSetup.Outcome outcome = setup.install(chain, after, touched, SetupMode.PARALLEL, 1);
    Endpoint known = before.ingress();
    Endpoint opened = outcome.ingress();
    if (opened != null && known != null && !opened.port().equals(known.port())) {
      // The ingress had lost its part, too, unnoticed. The next attempt asks for the known port.
      String ingress = before.route().firstRelay();
      missing(
          chain, ingress, ingress + " listens on another port than the one that applications use");
      return;
    }
    if (outcome.complete()) {
      retries.forget(chain.id());
      book.repaired(chain, missing, opened == null ? after : after.reachedAt(opened));
      return;
    }
    ChainSetup.Failure culprit = outcome.culprit();
    String words = "failed at " + culprit.relay() + ": " + culprit.words();
    for (String relay : missing) {
      book.trouble(chain, relay, relay + " must get its part again, which " + words, true);
    }
    retries.failed(chain.id());
  }
}
