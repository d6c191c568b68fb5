package io.cascade.orchestrator.events;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import io.cascade.command.Printable;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The last thousand events, and the subscriptions to later ones.
 *
 * <p>Numbers start from the time of the start in milliseconds, so that they increase across
 * restarts and a subscriber that resumes after a restart receives all events since the start.
 */
@Component
public class EventLog implements SmartLifecycle {
  static final int KEPT = 1_000;
  static final int MOST_SUBSCRIBERS = 256;

  /** Most subscriptions of one caller with a key of its own. */
  static final int MOST_OF_CALLER = MOST_SUBSCRIBERS / 4;

  private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

  private final Timekeeper time;
  private final ArrayDeque<Event> kept = new ArrayDeque<>(KEPT);
  private final Set<Subscription> subscriptions = new HashSet<>();
  private long next;
  private boolean open = true;

  public EventLog(Timekeeper time) {
    this.time = time;
    this.next = time.now().toEpochMilli();
  }

  public void relay(EventType type, String relay, String message) {
    publish(type, relay, null, null, message);
  }

  public void chain(UUID chain, ChainState state, String message) {
    publish(EventType.CHAIN_STATE, null, chain, state, message);
  }

  /** Publishes that a relay tries, or has tried, a chain against the direct way. */
  public void tried(String relay, UUID chain, String message) {
    publish(EventType.ROUTE_TRIED, relay, chain, null, message);
  }

  private synchronized void publish(
      EventType type,
      @Nullable String relay,
      @Nullable UUID chain,
      @Nullable ChainState state,
      String words) {
    // Some of the text comes from relays or callers: control characters are removed.
    String message = Printable.line(words);
    Event event =
        Event.builder()
            .id(next++)
            .at(time.now())
            .type(type)
            .relay(relay)
            .chainId(chain)
            .state(state)
            .message(message)
            .build();
    LOG.info("{}", message);
    if (kept.size() == KEPT) {
      kept.removeFirst();
    }
    kept.addLast(event);
    subscriptions.removeIf(subscription -> !subscription.offer(event));
  }

  /**
   * @param owner the caller's owner; null if the caller's credential is shared
   * @param after the last event already seen; null to start with the next one
   */
  synchronized Subscription subscribe(@Nullable String owner, @Nullable Long after) {
    if (!open || subscriptions.size() >= MOST_SUBSCRIBERS) {
      throw new Refusal(
          ProblemKind.TOO_MANY_SUBSCRIBERS,
          open
              ? MOST_SUBSCRIBERS + " subscribers are connected already; fix: close some"
              : "the orchestrator is stopping");
    }
    if (owner != null
        && subscriptions.stream().filter(one -> owner.equals(one.owner())).count()
            >= MOST_OF_CALLER) {
      throw new Refusal(
          ProblemKind.TOO_MANY_SUBSCRIBERS,
          MOST_OF_CALLER + " subscribers of " + owner + " are connected already; fix: close some");
    }
    List<Event> missed =
        after == null ? List.of() : kept.stream().filter(event -> event.id() > after).toList();
    Subscription subscription = new Subscription(owner, missed);
    subscriptions.add(subscription);
    return subscription;
  }

  synchronized void unsubscribe(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  public synchronized int subscribers() {
    return subscriptions.size();
  }

  @Override
  public void start() {}

  /**
   * Ends all subscriptions before the server waits for its running requests, of which each is one.
   */
  @Override
  public synchronized void stop() {
    open = false;
    subscriptions.forEach(Subscription::cut);
    subscriptions.clear();
  }

  @Override
  public synchronized boolean isRunning() {
    return open;
  }
}
