package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainState;
import org.springframework.stereotype.Component;

/**
 * Takes over chains that are between two states, left by an earlier process or by a task that ended
 * because the database was unreachable. Chains that were being opened are rolled back; chains that
 * were being closed are closed. Open chains continue; their streams are not affected.
 */
@Component
class ChainAdoption extends ChainUpkeepRule {
  private static final String INTERRUPTED =
      "the orchestrator stopped meanwhile, or its database did not answer";

  private final ChainRemoval removal;
  private final ChainClosing closing;
  private final ChainRepair repair;

  ChainAdoption(
      ChainBook book,
      ChainRemoval removal,
      ChainClosing closing,
      ChainRepair repair,
      RelayCalls calls,
      Retries retries) {
    super(book, calls, retries);
    this.removal = removal;
    this.closing = closing;
    this.repair = repair;
  }

  /**
   * Has the parts of every degraded chain installed again after a start: troubles are not stored,
   * so it is unknown which relay lacks its part.
   */
  @Override
  public void start() {
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

  @Override
  boolean needs(Chain chain) {
    return !chain.carries();
  }

  @Override
  void keep(Chain chain) {
    // Retried if the database fails again.
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
  }

  private void rollBack(Chain chain) {
    removal.remove(chain.id(), chain.relays(), true);
    book.move(chain, ChainEvent.GIVEN_UP, INTERRUPTED);
  }
}
