package io.cascade.orchestrator.chains;

import static io.cascade.api.orchestrator.ChainState.CLOSED;
import static io.cascade.api.orchestrator.ChainState.CLOSING;
import static io.cascade.api.orchestrator.ChainState.DEGRADED;
import static io.cascade.api.orchestrator.ChainState.FAILED;
import static io.cascade.api.orchestrator.ChainState.INSTALLING;
import static io.cascade.api.orchestrator.ChainState.PLANNING;
import static io.cascade.api.orchestrator.ChainState.READY;
import static io.cascade.api.orchestrator.ChainState.ROLLING_BACK;

import io.cascade.api.orchestrator.ChainState;
import java.util.Optional;

/**
 * Order of a chain's states.
 *
 * <pre>
 * PLANNING ──▶ INSTALLING ──▶ READY ◀──▶ DEGRADED
 *    ▲ │           │             └──┬───────┘
 *    │ ▼           ▼                ▼
 *    │ FAILED ◀─ ROLLING_BACK    CLOSING ──▶ CLOSED
 *    └───────────────┘
 * </pre>
 */
final class ChainLifecycle {
  private ChainLifecycle() {}

  /** The state after an event; empty if the event is not allowed in the state. */
  static Optional<ChainState> after(ChainState state, ChainEvent event) {
    return Optional.ofNullable(
        switch (event) {
          case PLANNED -> state == PLANNING ? INSTALLING : null;
          case UNPLANNABLE -> state == PLANNING ? FAILED : null;
          case INSTALLED -> state == INSTALLING ? READY : null;
          case REFUSED -> state == INSTALLING ? ROLLING_BACK : null;
          case PLANNED_AGAIN -> state == ROLLING_BACK ? PLANNING : null;
          case GIVEN_UP -> state == ROLLING_BACK ? FAILED : null;
          case TROUBLED -> state == READY || state == DEGRADED ? DEGRADED : null;
          case REPAIRED -> state == DEGRADED ? READY : null;
          case CLOSE -> state == READY || state == DEGRADED ? CLOSING : null;
          case CLOSED -> state == CLOSING ? CLOSED : null;
        });
  }

  /** Whether relays carry streams for a chain in this state. */
  static boolean carries(ChainState state) {
    return state == READY || state == DEGRADED;
  }

  /** Whether the state is final. */
  static boolean ended(ChainState state) {
    return state == CLOSED || state == FAILED;
  }
}
