package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.TaskWatch;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Runs all {@link UpkeepRule rules} while there are chains, in rounds. */
@Component
class UpkeepRounds {
  private static final Duration ROUND = Duration.ofMillis(250);

  /** Time between two rounds while there are no chains. */
  private static final Duration ROUND_WITHOUT_CHAINS = Duration.ofSeconds(1);

  private final List<UpkeepRule> rules;
  private final List<ChainMemory> memories;
  private final ChainBook book;
  private final RelayCalls calls;
  private final RelayRegistry relays;
  private final TaskWatch tasks;
  private boolean hadChains = true;
  private boolean keeping = true;
  private @Nullable PeriodicTask task;

  UpkeepRounds(
      List<UpkeepRule> rules,
      List<ChainMemory> memories,
      ChainBook book,
      RelayCalls calls,
      RelayRegistry relays,
      TaskWatch tasks) {
    this.rules = rules;
    this.memories = memories;
    this.book = book;
    this.calls = calls;
    this.relays = relays;
    this.tasks = tasks;
  }

  /** Starts the rounds, for chains of an earlier process and new ones. */
  @EventListener(ApplicationReadyEvent.class)
  void start() {
    rules.forEach(UpkeepRule::start);
    task =
        PeriodicTask.every(
            () -> keeping ? ROUND : ROUND_WITHOUT_CHAINS,
            "upkeep",
            Stream.of(
                    Stream.<Runnable>of(this::look, this::forget),
                    rules.stream().map(this::step),
                    Stream.of(tasks.endOfRound("upkeep", ROUND_WITHOUT_CHAINS)))
                .flatMap(steps -> steps)
                .toArray(Runnable[]::new));
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
    calls.stop();
  }

  /**
   * Starts a round at once, so that the first chain does not wait for one of the infrequent rounds.
   */
  @EventListener
  void on(ChainFact.SetUp fact) {
    if (task != null) {
      task.soon();
    }
  }

  /**
   * Checks whether there are chains to maintain. One more round follows the end of the last chain.
   */
  private void look() {
    boolean chains = !book.unended().isEmpty();
    if (chains) {
      relays.needed();
    }
    keeping = chains || hadChains;
    hadChains = chains;
  }

  private void forget() {
    Predicate<UUID> live = id -> book.live(id).isPresent();
    memories.forEach(memory -> memory.retain(live));
  }

  private Runnable step(UpkeepRule rule) {
    return () -> {
      if (keeping || rule.worksWithoutChains()) {
        rule.round();
      }
    };
  }
}
