package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Closes chains. */
@Component
class ChainClosing {
  private static final long PATIENCE_SECONDS = 50;

  private final ChainBook book;
  private final ChainRemoval removal;
  private final ChainLearning learning;

  ChainClosing(ChainBook book, ChainRemoval removal, ChainLearning learning) {
    this.book = book;
    this.removal = removal;
    this.learning = learning;
  }

  /** Waits for what is being done with the chain; does nothing where it has ended already. */
  Chain close(UUID id, boolean abort) {
    Chain chain = book.known(id);
    if (chain.ended()) {
      return chain;
    }
    boolean mine;
    try {
      mine = chain.work().tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      mine = false;
    }
    if (!mine) {
      throw new Refusal(
          ProblemKind.CHAIN_BUSY, id + ": still " + chain.state() + "; try again", id);
    }
    try {
      if (chain.carries()) {
        learning.learn(chain);
        book.move(chain, ChainEvent.CLOSE, null);
        finish(chain, abort);
      }
      return chain;
    } finally {
      chain.work().unlock();
    }
  }

  /** From CLOSING on. */
  void finish(Chain chain, boolean abort) {
    List<String> unanswered = removal.remove(chain.id(), chain.relays(), abort);
    book.move(
        chain, ChainEvent.CLOSED, unanswered.isEmpty() ? null : ChainRemoval.leftovers(unanswered));
  }
}
