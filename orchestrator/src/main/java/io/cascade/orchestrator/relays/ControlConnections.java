package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.security.KeyBook;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The control connections of relays, at most one for each. */
@Component
class ControlConnections {
  private static final Logger LOG = LoggerFactory.getLogger(ControlConnections.class);

  private final Map<String, ControlConnection> byRelay = new ConcurrentHashMap<>();
  private final Map<String, UUID> endedThere = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  /** Waiting calls by relay; guarded by the lock. */
  private final Map<String, Waiting> waiting = new HashMap<>();

  private final ApplicationEventPublisher facts;

  /**
   * Calls that wait for the connection of one relay. When a thousand relays reconnect, each wakes
   * only the calls for itself.
   */
  private static final class Waiting {
    private final Condition opened;
    private int calls;

    Waiting(Condition opened) {
      this.opened = opened;
    }
  }

  ControlConnections(ApplicationEventPublisher facts) {
    this.facts = facts;
  }

  /** The connection of the registered instance; empty if it has none. */
  Optional<ControlConnection> of(RegisteredRelay relay) {
    return Optional.ofNullable(byRelay.get(relay.name()))
        .filter(connection -> connection.instance().equals(relay.instance()));
  }

  /** Waits for the connection of the registered instance. */
  Optional<ControlConnection> await(RegisteredRelay relay, Duration timeout)
      throws InterruptedIOException {
    Optional<ControlConnection> there = of(relay);
    if (there.isPresent()) {
      return there;
    }
    lock.lock();
    Waiting here = waiting.computeIfAbsent(relay.name(), _ -> new Waiting(lock.newCondition()));
    here.calls++;
    try {
      long left = timeout.toNanos();
      while (of(relay).isEmpty() && left > 0) {
        left = here.opened.awaitNanos(left);
      }
      return of(relay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      if (--here.calls == 0) {
        waiting.remove(relay.name());
      }
      lock.unlock();
    }
  }

  void opened(RegisteredRelay relay, ControlConnection connection) {
    ControlConnection before = byRelay.put(relay.name(), connection);
    endedThere.remove(relay.name());
    if (before != null) {
      before.close(CloseCodes.NORMAL_CLOSURE, "replaced by a later connection");
    }
    lock.lock();
    try {
      Waiting those = waiting.get(relay.name());
      if (those != null) {
        those.opened.signalAll();
      }
    } finally {
      lock.unlock();
    }
    LOG.debug("relay {} opened its control connection", relay.name());
    facts.publishEvent(new RelayFact.Connected(relay));
  }

  void ended(String relay, ControlConnection connection, CloseReason why) {
    connection.calls().end("its control connection ended");
    if (byRelay.remove(relay, connection)
        && (why.getCloseCode() == CloseCodes.NORMAL_CLOSURE
            || why.getCloseCode() == CloseCodes.CLOSED_ABNORMALLY)) {
      endedThere.put(relay, connection.instance());
    }
    LOG.debug("the control connection of relay {} ended: {}", relay, why);
  }

  /**
   * Whether the registered instance or its host closed the connection and opened no other: the
   * process has presumably ended.
   */
  boolean hasEnded(RegisteredRelay relay) {
    return relay.instance().equals(endedThere.get(relay.name()));
  }

  @EventListener
  void on(RelayFact.Forgotten fact) {
    endedThere.remove(fact.relay().name());
    ControlConnection gone = byRelay.remove(fact.relay().name());
    if (gone != null) {
      gone.close(CloseCodes.VIOLATED_POLICY, "the relay is forgotten");
    }
  }

  /**
   * Closes connections that were authenticated with the revoked key. A caller that has another key
   * reconnects.
   */
  @EventListener
  void on(KeyBook.Revoked fact) {
    ControlConnection open = fact.role() == Role.RELAY ? byRelay.get(fact.name()) : null;
    if (open != null) {
      open.close(CloseCodes.VIOLATED_POLICY, "a key of this relay is revoked");
    }
  }
}
