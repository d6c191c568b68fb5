package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/**
 * Closes chains whose time to live has passed since they were opened or renewed. Their streams
 * finish. The time is steady, and restarts with the orchestrator, since clients cannot renew a
 * chain while the orchestrator is unreachable.
 */
@Component
class ChainExpiry extends ChainUpkeepRule {
  private final ChainClosing closing;
  private final Timekeeper time;

  /** The mark from which a chain's time to live counts, by chain. */
  private final Map<UUID, Long> renewedAt = new ConcurrentHashMap<>();

  ChainExpiry(
      ChainBook book, ChainClosing closing, RelayCalls calls, Retries retries, Timekeeper time) {
    super(book, calls, retries);
    this.closing = closing;
    this.time = time;
    book.carrying().forEach(this::begin); // those that an earlier process opened
  }

  /** Starts the time to live of a chain that is open. */
  void begin(Chain chain) {
    if (chain.request().timeToLiveSeconds() != null) {
      renewedAt.put(chain.id(), time.mark());
    }
  }

  /**
   * Restarts the chain's time to live.
   *
   * @throws Refusal if there is no such chain, or it has ended
   */
  void renew(UUID id) {
    Chain chain = book.known(id);
    if (chain.ended()) {
      throw new Refusal(
          ProblemKind.CHAIN_ENDED, id + ": " + chain.state() + "; open another chain", id);
    }
    begin(chain);
  }

  @Override
  boolean needs(Chain chain) {
    return chain.carries() && expired(chain);
  }

  @Override
  void keep(Chain chain) {
    retries.failed(chain.id()); // retried if it cannot be stored
    closing.close(
        chain,
        false,
        "its client did not renew it for "
            + chain.request().timeToLiveSeconds()
            + " s, its time to live");
  }

  @Override
  public void retain(Predicate<UUID> live) {
    super.retain(live);
    renewedAt.keySet().removeIf(live.negate());
  }

  private boolean expired(Chain chain) {
    Integer seconds = chain.request().timeToLiveSeconds();
    Long since = renewedAt.get(chain.id());
    return seconds != null && since != null && time.passed(since, Duration.ofSeconds(seconds));
  }
}
