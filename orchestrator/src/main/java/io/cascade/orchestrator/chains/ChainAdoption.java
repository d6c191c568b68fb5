package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Takes over what an earlier life of the orchestrator left. Open chains go on: their streams never
 * noticed. What was caught half-way is taken back.
 */
@Component
class ChainAdoption {
  private static final Logger LOG = LoggerFactory.getLogger(ChainAdoption.class);
  private static final String INTERRUPTED = "the orchestrator stopped meanwhile";

  private final ChainBook book;
  private final ChainRemoval removal;
  private final ChainClosing closing;
  private final ChainRepair repair;
  private final LeaseKeeper leases;
  private final RelayCalls calls;

  ChainAdoption(
      ChainBook book,
      ChainRemoval removal,
      ChainClosing closing,
      ChainRepair repair,
      LeaseKeeper leases,
      RelayCalls calls) {
    this.book = book;
    this.removal = removal;
    this.closing = closing;
    this.repair = repair;
    this.leases = leases;
    this.calls = calls;
  }

  @EventListener(ApplicationReadyEvent.class)
  void adopt() {
    for (Chain chain : book.unended()) {
      if (chain.state() != ChainState.READY) {
        calls.soon(() -> adopt(chain));
      }
    }
    leases.start();
  }

  private void adopt(Chain chain) {
    chain.work().lock();
    try {
      switch (chain.state()) {
        case PLANNING -> book.move(chain, ChainEvent.UNPLANNABLE, INTERRUPTED);
        case INSTALLING -> {
          book.move(chain, ChainEvent.REFUSED, INTERRUPTED);
          rollBack(chain);
        }
        case ROLLING_BACK -> rollBack(chain);
        case CLOSING -> closing.finish(chain, false);
        // What was wrong is not stored; with every part put again nothing is.
        case DEGRADED ->
            chain
                .relays()
                .forEach(relay ->
                    repair.missing(
                        chain,
                        relay,
                        relay + " gets its part again after a restart of the orchestrator"));
        case READY, CLOSED, FAILED -> {}
      }
    } catch (RuntimeException e) {
      LOG.error("chain {} of an earlier life cannot be cleaned up", chain.id(), e);
    } finally {
      chain.work().unlock();
    }
  }

  private void rollBack(Chain chain) {
    removal.remove(chain.id(), chain.relays(), true);
    book.move(chain, ChainEvent.GIVEN_UP, INTERRUPTED);
  }
}
