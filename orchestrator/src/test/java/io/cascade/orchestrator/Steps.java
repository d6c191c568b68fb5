package io.cascade.orchestrator;

import com.sun.net.httpserver.HttpExchange;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests by which parts are put on relays and taken off, and kills their sender at one
 * of them.
 */
final class Steps {
  private final OrchestratorProcess sender;
  private int count;
  private int fatal;
  private Fate fate = Fate.LOST;
  private boolean reached;
  private @Nullable Thread last;
  private CountDownLatch late = new CountDownLatch(1);
  private int delayed;

  /** What becomes of the request at which its sender dies, and of those under way beside it. */
  enum Fate {
    /** They died with it. */
    LOST,
    /** The relay did as it was told, but nobody heard. Those beside it are lost. */
    DONE,
    /** They were long on their way: the relays do as they were told when it is over. */
    LATE
  }

  Steps(OrchestratorProcess sender) {
    this.sender = sender;
  }

  /** Counts what a relay is asked from now on. */
  void watch(FakeRelay relay) {
    watch(relay, _ -> false);
  }

  /**
   * @param answer by which the relay does badly
   */
  void watch(FakeRelay relay, Predicate<HttpExchange> answer) {
    relay.before = exchange -> arrived(exchange) || answer.test(exchange);
    relay.beforeAnswer = this::done;
  }

  /**
   * @param step at which the sender dies, from 1
   */
  synchronized void killAt(int step, Fate with) {
    count = 0;
    fatal = step;
    fate = with;
    reached = false;
    last = null;
    late = new CountDownLatch(1);
    delayed = 0;
  }

  /** Whether its sender has died. */
  synchronized boolean reached() {
    return reached;
  }

  /** Nobody dies any more. */
  synchronized void over() {
    fatal = 0;
  }

  /** How many are late. */
  synchronized int delayed() {
    return delayed;
  }

  /** Lets those go on that are late. */
  synchronized void release() {
    late.countDown();
  }

  private boolean arrived(HttpExchange exchange) {
    String method = exchange.getRequestMethod();
    if (!method.equals("PUT") && !method.equals("DELETE")) {
      return false;
    }
    CountDownLatch until;
    synchronized (this) {
      if (fatal == 0 || ++count < fatal) {
        return false;
      }
      if (count == fatal && fate == Fate.DONE) {
        last = Thread.currentThread();
        return false;
      }
      if (count == fatal) {
        sender.kill();
        reached = true;
      }
      if (fate != Fate.LATE) {
        return true;
      }
      until = late;
      delayed++;
    }
    try {
      return !until.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private synchronized void done() {
    if (Thread.currentThread().equals(last)) {
      last = null;
      sender.kill();
      reached = true;
    }
  }
}
