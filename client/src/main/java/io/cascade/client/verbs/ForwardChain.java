package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.client.forward.PipeDialer;
import io.cascade.client.transfer.Connections;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.command.Complaint;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A route through a chain that is kept for as long as the agent runs: opened, renewed, and opened
 * anew, through other relays where it may, when it carries no more. While the orchestrator is away,
 * the chain that is there goes on being used.
 */
final class ForwardChain implements PipeDialer {
  /** How long pipes may fail before a chain that should work is given up all the same. */
  private static final Duration FAILING = Duration.ofSeconds(10);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  private final String label;
  private final boolean exact;
  private final OrchestratorClient client;
  private final Function<String, ChainRequest> request;
  private final Output output;

  /** Held while a chain is opened, so that the next one knows its relays and avoids them. */
  private final ReentrantLock opening;

  private @Nullable Chain chain;
  private String obstacle = "it is being opened";
  private long failingSinceNanos;
  private boolean failing;

  /**
   * @param label such as {@code chain 1}
   * @param exact whether its relays were named: others cannot take their place, so the chain waits
   *     for them as long as the orchestrator has it
   * @param request makes the request, given the name that the chain must have
   * @param opening shared by the chains of which each goes through relays of its own
   */
  ForwardChain(
      String label,
      boolean exact,
      OrchestratorClient client,
      Function<String, ChainRequest> request,
      ReentrantLock opening,
      Output output) {
    this.label = label;
    this.exact = exact;
    this.client = client;
    this.request = request;
    this.opening = opening;
    this.output = output;
  }

  void start() {
    Thread.ofVirtual().name(label).start(this::keep);
  }

  @Override
  public synchronized String name() {
    return chain == null ? label : "via " + String.join(", ", chain.relays());
  }

  /** Relays of the chain that is open. */
  synchronized List<String> relays() {
    return chain == null ? List.of() : chain.relays();
  }

  @Override
  public SocketChannel connect() throws IOException {
    HostPort ingress;
    synchronized (this) {
      if (chain == null) {
        throw new Unavailable(label + " is not there: " + obstacle);
      }
      ingress = OpenVerb.ingress(chain);
    }
    try {
      return Connections.connect(ingress, CONNECT_TIMEOUT);
    } catch (TransferFailed e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public synchronized void failed() {
    if (!failing) {
      failing = true;
      failingSinceNanos = System.nanoTime();
      notifyAll();
    }
  }

  @Override
  public synchronized void worked() {
    failing = false;
  }

  private void keep() {
    Duration pause = LOOK;
    while (true) {
      opening.lock();
      try {
        String why = BorrowedChain.with(client, "forward", request, this::untilGone);
        output.note("%s: %s; opening another one".formatted(label, why));
        pause = LOOK;
      } catch (InterruptedException e) {
        return;
      } catch (UnreachableException | ProblemException | Complaint e) {
        hinder(String.valueOf(e.getMessage()));
      } catch (Exception e) {
        hinder(e.toString());
      } finally {
        opened();
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private void opened() {
    if (opening.isHeldByCurrentThread()) {
      opening.unlock();
    }
  }

  private void hinder(String why) {
    synchronized (this) {
      if (why.equals(obstacle)) {
        return;
      }
      obstacle = why;
    }
    output.note("%s: %s".formatted(label, why));
  }

  /** Returns, with the reason, once the chain is to be replaced. */
  private String untilGone(Chain opened) throws InterruptedException {
    synchronized (this) {
      chain = opened;
      failing = false;
    }
    opened();
    output.note("%s via %s is open".formatted(label, String.join(", ", opened.relays())));
    try {
      while (true) {
        synchronized (this) {
          while (!failing) {
            wait();
          }
        }
        Thread.sleep(LOOK);
        String fate = fate(opened);
        if (fate != null) {
          return fate;
        }
      }
    } finally {
      synchronized (this) {
        chain = null;
        obstacle = "it is being opened anew";
      }
    }
  }

  /** Why the chain is to be replaced; null where it is not, or nobody can open another one now. */
  private @Nullable String fate(Chain opened) {
    try {
      Chain now = client.chain(opened.id());
      if (!ChainSelection.isLive(now)) {
        return "the chain is " + now.state();
      }
      synchronized (this) {
        chain = now; // The orchestrator may have led it around a relay.
        boolean enough = System.nanoTime() - failingSinceNanos >= FAILING.toNanos();
        return !exact && failing && enough
            ? "no pipe over it for %d s".formatted(FAILING.toSeconds())
            : null;
      }
    } catch (ProblemException e) {
      return e.status() == 404 ? "the orchestrator has no such chain" : null;
    } catch (UnreachableException e) {
      return null;
    }
  }
}
