package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import org.springframework.stereotype.Component;

/**
 * Takes over chains that somebody left half-way: an earlier life of the orchestrator, or a task
 * that ended because the database was away. Those that were being opened are taken back, those that
 * were being closed are closed. Open chains go on: their streams never noticed.
 */
@Component
class ChainAdoption {
  private static final String INTERRUPTED =
      "the orchestrator stopped meanwhile, or its database was away";

  private final ChainBook book;
  private final ChainRemoval removal;
  private final ChainClosing closing;
  private final ChainRepair repair;
  private final RelayCalls calls;
  private final Retries retries;

  ChainAdoption(
      ChainBook book,
      ChainRemoval removal,
      ChainClosing closing,
      ChainRepair repair,
      RelayCalls calls,
      Timekeeper time,
      Jitter jitter) {
    this.book = book;
    this.removal = removal;
    this.closing = closing;
    this.repair = repair;
    this.calls = calls;
    this.retries = new Retries(time, jitter);
  }

  /**
   * Puts every part again after a start: what was wrong is not stored, and nothing is wrong then.
   */
  void putPartsAgain() {
    for (Chain chain : book.carrying()) {
      if (chain.state() == ChainState.DEGRADED) {
        chain
            .relays()
            .forEach(relay ->
                repair.missing(
                    chain,
                    relay,
                    relay + " gets its part again after a restart of the orchestrator"));
      }
    }
  }

  /** Takes over what nobody works on. */
  void round() {
    for (Chain chain : book.unended()) {
      if (!chain.carries() && !chain.work().isLocked() && retries.due(chain.id())) {
        calls.soon(() -> adopt(chain));
      }
    }
    retries.retain(id -> book.live(id).isPresent());
  }

  private void adopt(Chain chain) {
    if (!chain.work().tryLock()) {
      return;
    }
    try {
      // Should the database fail once more.
      retries.failed(chain.id());
      switch (chain.state()) {
        case PLANNING -> book.move(chain, ChainEvent.UNPLANNABLE, INTERRUPTED);
        case INSTALLING -> {
          book.move(chain, ChainEvent.REFUSED, INTERRUPTED);
          rollBack(chain);
        }
        case ROLLING_BACK -> rollBack(chain);
        case CLOSING -> closing.finish(chain, false);
        case READY, DEGRADED, CLOSED, FAILED -> {}
      }
    } finally {
      chain.work().unlock();
    }
  }

  private void rollBack(Chain chain) {
    removal.remove(chain.id(), chain.relays(), true);
    book.move(chain, ChainEvent.GIVEN_UP, INTERRUPTED);
  }
}
