package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;

/**
 * Moves an open chain to other relays: stores the new route, installs its parts, and removes the
 * parts of relays that are no longer on it.
 */
@Component
class RouteChange {
  private final ChainBook book;
  private final ChainSetup setup;
  private final ChainRemoval removal;
  private final RelayRegistry relays;
  private final HopKeys hopKeys;

  RouteChange(
      ChainBook book,
      ChainSetup setup,
      ChainRemoval removal,
      RelayRegistry relays,
      HopKeys hopKeys) {
    this.book = book;
    this.setup = setup;
    this.removal = removal;
    this.relays = relays;
    this.hopKeys = hopKeys;
  }

  /**
   * Stores the route and installs the parts of all its relays.
   *
   * @param attempt number of the attempt to move the chain, from 1
   * @return the outcome; if it is not complete, some relays may have their parts
   */
  ChainSetup.Outcome install(Chain chain, RelayPipes pipes, Plan plan, int attempt) {
    Installation before = Objects.requireNonNull(chain.installation());
    boolean tls = HopProtection.tls(chain.request(), pipes, relays);
    Installation after = before.around(pipes.inPlacesOf(before.route()), tls, hopKeys);
    book.reroute(chain, plan, after);
    ChainSetup.Outcome outcome = setup.install(chain, after, SetupMode.PARALLEL, attempt);
    chain.report(outcome.report());
    return outcome;
  }

  /**
   * Removes the chain's parts from relays that are no longer on its route. Their streams finish.
   * {@link PartInspection} removes the parts of lost relays when these are back.
   *
   * @param before relays of the former route
   */
  void takeOff(Chain chain, Collection<String> before) {
    List<String> present = chain.relays();
    List<String> left =
        before.stream()
            .filter(name -> !present.contains(name))
            .filter(name -> relays.find(name).filter(relay -> !relay.isGone()).isPresent())
            .toList();
    List<String> _ = removal.remove(chain.id(), left, false);
  }
}
