package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Closes chains. */
@Component
class ChainClosing {
  private static final long PATIENCE_SECONDS = 50;

  private final ChainBook book;
  private final ChainRemoval removal;
  private final ChainLearning learning;
  private final ChainTraffic traffic;
  private final HopEvidence evidence;
  private final RelayRegistry relays;

  ChainClosing(
      ChainBook book,
      ChainRemoval removal,
      ChainLearning learning,
      ChainTraffic traffic,
      HopEvidence evidence,
      RelayRegistry relays) {
    this.traffic = traffic;
    this.evidence = evidence;
    this.relays = relays;
    this.book = book;
    this.removal = removal;
    this.learning = learning;
  }

  /** Waits for the task that works on the chain; does nothing if the chain has ended already. */
  Chain close(UUID id, boolean abort) {
    Chain chain = book.known(id);
    return chain.ended() ? chain : close(chain, abort, null);
  }

  /**
   * Waits for the task that works on the chain.
   *
   * @param why the reason in the chain's document; null if a caller closes it
   * @throws Refusal if another task works on it for too long
   */
  Chain close(Chain chain, boolean abort, @Nullable String why) {
    boolean mine;
    try {
      mine = chain.work().tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      mine = false;
    }
    if (!mine) {
      throw new Refusal(
          ProblemKind.CHAIN_BUSY,
          chain.id() + ": still " + chain.state() + "; try again",
          chain.id());
    }
    try {
      if (chain.carries()) {
        learning.learn(chain);
        lookOnceMore(chain);
        book.move(chain, ChainEvent.CLOSE, why);
        finish(chain, abort);
      }
      return chain;
    } finally {
      chain.work().unlock();
    }
  }

  /**
   * Reads the relays' counters for the last time, before the relays discard them. Lost relays are
   * left out.
   */
  private void lookOnceMore(Chain chain) {
    boolean allUp =
        chain.relays().stream()
            .allMatch(name -> relays.find(name).filter(one -> !one.isGone()).isPresent());
    if (allUp) {
      traffic.counters(chain).forEach((relay, totals) -> evidence.counted(chain, relay, totals));
    }
  }

  /** Completes the closing of a chain in the state CLOSING. */
  void finish(Chain chain, boolean abort) {
    List<String> unanswered = removal.remove(chain.id(), chain.relays(), abort);
    List<String> words = new ArrayList<>();
    Optional.ofNullable(chain.reason()).ifPresent(words::add);
    if (!unanswered.isEmpty()) {
      words.add(ChainRemoval.leftovers(unanswered));
    }
    book.move(chain, ChainEvent.CLOSED, words.isEmpty() ? null : String.join("; ", words));
  }
}
