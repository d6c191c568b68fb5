package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Plan;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RelayUse;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Every chain that has not ended, in memory and in the store. Every change of a chain is made here,
 * so that changes are stored and published in the order in which they happened.
 */
@Component
class ChainBook implements RelayUse {
  private final ChainStore store;
  private final EventLog events;
  private final Timekeeper time;
  private final Map<UUID, Chain> live = new ConcurrentHashMap<>();

  ChainBook(ChainStore store, EventLog events, Timekeeper time) {
    this.store = store;
    this.events = events;
    this.time = time;
    EnumSet<ChainState> unended = EnumSet.allOf(ChainState.class);
    unended.removeIf(ChainLifecycle::ended);
    store.all(unended).forEach(chain -> live.put(chain.id(), chain));
  }

  /** Creates a chain that is not entered yet. */
  Chain draft(UUID id, ChainRequest request, @Nullable String owner) {
    return new Chain(id, request, owner, time.now());
  }

  /**
   * Enters a new chain. The caller holds its work lock, otherwise {@link ChainAdoption} would roll
   * it back.
   */
  void enter(Chain chain) {
    store.insert(chain);
    live.put(chain.id(), chain);
    tell(chain);
  }

  /**
   * Moves a chain to the state after an event. If the move cannot be stored the state stays, and
   * the move is retried.
   */
  void move(Chain chain, ChainEvent event, @Nullable String why) {
    inOrder(
        chain,
        () -> {
          Chain.Status next = chain.after(event, why, time.now());
          store.update(chain, next);
          chain.stand(next);
          tell(chain);
          if (next.ended()) {
            live.remove(chain.id());
          }
        });
  }

  /** Records that a relay is lost or lost its part. Ignored for a chain that carries no streams. */
  void trouble(Chain chain, String relay, String words, boolean lostItsPart) {
    inOrder(
        chain,
        () -> {
          if (chain.carries()
              && (chain.trouble(relay, words, lostItsPart) || chain.state() == ChainState.READY)) {
            move(chain, ChainEvent.TROUBLED, chain.troubles());
          }
        });
  }

  /** Records that a relay has its part and answers. */
  void well(Chain chain, String relay) {
    inOrder(
        chain,
        () -> {
          if (chain.carries() && chain.well(relay)) {
            settle(chain, null);
          }
        });
  }

  /** Records that these relays got their parts again. */
  void repaired(Chain chain, Collection<String> relays, Installation on) {
    inOrder(
        chain,
        () -> {
          chain.install(on);
          chain.repaired(relays, time.mark());
          settle(chain, null);
        });
  }

  /**
   * Stores another route before any relay is told, so that every installed part is known to the
   * store.
   */
  void reroute(Chain chain, Plan plan, Installation on) {
    inOrder(
        chain,
        () -> {
          chain.reroute(plan, on);
          store.update(chain, chain.status());
        });
  }

  /** Records that all relays of the new route have their parts. */
  void rerouted(Chain chain, String words) {
    inOrder(
        chain,
        () -> {
          chain.repaired(chain.relays(), time.mark());
          settle(chain, words);
        });
  }

  /** Stores that a chain is well again, if an earlier attempt to store it failed. */
  void settle(Chain chain) {
    if (chain.isWellAgain()) {
      inOrder(
          chain,
          () -> {
            if (chain.isWellAgain()) {
              settle(chain, null);
            }
          });
    }
  }

  private void settle(Chain chain, @Nullable String words) {
    if (chain.isTroubled()) {
      move(chain, ChainEvent.TROUBLED, chain.troubles());
    } else if (chain.state() == ChainState.DEGRADED) {
      move(chain, ChainEvent.REPAIRED, words);
    }
  }

  /**
   * Stores an installation before any relay is told, so that every key in use is known to the
   * store.
   */
  void save(Chain chain, Installation on) {
    inOrder(
        chain,
        () -> {
          chain.install(on);
          store.update(chain, chain.status());
        });
  }

  private static void inOrder(Chain chain, Runnable entry) {
    chain.entry().lock();
    try {
      entry.run();
    } finally {
      chain.entry().unlock();
    }
  }

  /** Chains for which relays carry streams. */
  List<Chain> carrying() {
    return live.values().stream().filter(Chain::carries).toList();
  }

  /** Chains that have not ended. */
  List<Chain> unended() {
    return List.copyOf(live.values());
  }

  List<Chain> through(String relay) {
    return live.values().stream().filter(chain -> chain.relays().contains(relay)).toList();
  }

  @Override
  public List<String> of(String relay) {
    return through(relay).stream().map(chain -> "chain " + chain.id()).toList();
  }

  Optional<Chain> live(UUID id) {
    return Optional.ofNullable(live.get(id));
  }

  /** A chain that has ended; empty if it has not, or is unknown. */
  Optional<Chain> ended(UUID id) {
    return live.containsKey(id) ? Optional.empty() : store.find(id).filter(Chain::ended);
  }

  /** The ids of chains that have ended, by one query. */
  Set<UUID> endedAmong(Collection<UUID> ids) {
    return ids.isEmpty() ? Set.of() : store.endedAmong(ids);
  }

  Chain known(UUID id) {
    Chain chain = live.get(id);
    if (chain != null) {
      return chain;
    }
    return store.find(id).orElseThrow(() -> unknown(id));
  }

  /** The refusal for a chain that does not exist or that the caller may not see. */
  static Refusal unknown(UUID id) {
    return new Refusal(ProblemKind.UNKNOWN_CHAIN, id + ": no such chain (GET /chains lists)");
  }

  /**
   * Lists chains, newest first.
   *
   * @param owner null for all owners
   */
  List<Chain> list(@Nullable ChainState state, @Nullable String owner, int limit) {
    return store.list(state, owner, limit);
  }

  /** Publishes an event of a chain that does not change its state. */
  void remark(Chain chain, String words) {
    events.chain(chain.id(), chain.state(), "chain " + chain.id() + ": " + words);
  }

  private void tell(Chain chain) {
    StringBuilder words = new StringBuilder("chain ").append(chain.id());
    String name = chain.request().name();
    if (name != null) {
      words.append(" (").append(name).append(')');
    }
    words.append(' ').append(chain.state());
    Installation installation = chain.installation();
    Endpoint ingress = installation == null ? null : installation.ingress();
    if (chain.state() == ChainState.READY && ingress != null) {
      words.append(" at ").append(ingress.host()).append(':').append(ingress.port());
    }
    if (!chain.relays().isEmpty()) {
      words.append(" via ").append(String.join(", ", chain.relays()));
    }
    words.append(" to ").append(chain.request().destination());
    String reason = chain.reason();
    if (reason != null) {
      words.append(": ").append(reason);
    }
    events.chain(chain.id(), chain.state(), words.toString());
  }
}
