package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.client.ways.Chains;
import io.cascade.client.ways.TemporaryChain;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A route through a chain that is maintained for as long as the agent runs: opened, renewed, and
 * replaced, through other relays where allowed, when it fails. While the orchestrator does not
 * answer, the open chain continues to be used.
 */
public final class ForwardChain implements PipeDialler {
  /** Time of failing pipes after which a chain is replaced although it is reported as working. */
  private static final Duration FAILING = Duration.ofSeconds(10);

  private static final Duration LOOK = Duration.ofSeconds(1);

  /** Interval between checks of a chain whose pipes work. */
  private static final Duration QUIET_LOOK = Duration.ofSeconds(3);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final String label;
  private final boolean exact;
  private final OrchestratorClient client;
  private final Function<String, ChainRequest> request;
  private final Consumer<String> note;

  /** Held while a chain without named relays is opened, so that the next one avoids its relays. */
  private final ReentrantLock opening;

  private final boolean changesControl;

  private @Nullable Chain chain;
  private String obstacle = "it is being opened";
  private long failingSinceNanos;
  private boolean failing;

  /** Number of the present route; incremented when the chain changes its relays. */
  private long route;

  /**
   * @param label such as {@code chain 1}
   * @param exact whether its relays were named: they cannot be replaced, so that the dialler waits
   *     for the chain for as long as the orchestrator has it
   * @param request makes the request, given the name that the chain must have
   * @param opening shared by the chains that are to use different relays
   * @param changesControl whether connections to its first relay may switch to another congestion
   *     control than the host's default when they lose packets
   * @param note told of changes of the chain, a line each
   */
  public ForwardChain(
      String label,
      boolean exact,
      OrchestratorClient client,
      Function<String, ChainRequest> request,
      ReentrantLock opening,
      boolean changesControl,
      Consumer<String> note) {
    this.label = label;
    this.exact = exact;
    this.client = client;
    this.request = request;
    this.opening = opening;
    this.changesControl = changesControl;
    this.note = note;
  }

  /** Opens the chain and maintains it, on a thread of its own. */
  public void start() {
    Thread.ofVirtual().name(label).start(this::keep);
  }

  @Override
  public synchronized String name() {
    return chain == null ? label : "via " + String.join(", ", chain.relays());
  }

  /** Relays of the open chain. */
  public synchronized List<String> relays() {
    return chain == null ? List.of() : chain.relays();
  }

  @Override
  public BlockingConnection connect() throws IOException {
    HostPort ingress;
    synchronized (this) {
      if (chain == null) {
        throw new Unavailable(label + " is not available: " + obstacle);
      }
      ingress = Chains.ingress(chain);
    }
    return TcpPipes.connect(ingress, changesControl);
  }

  @Override
  public synchronized long route() {
    return route;
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
    TemporaryChain held = null;
    Duration pause = LOOK;
    try {
      while (true) {
        if (!exact) {
          opening.lock();
        }
        try {
          TemporaryChain next = TemporaryChain.open(client, "forward", request);
          TemporaryChain before = held;
          held = next;
          use(next.chain());
          if (before != null) {
            before.finish(); // Streams replace their pipes one after the other.
          }
          opened();
          pause = LOOK;
          Fate fate = untilReplaced(next.chain().id());
          note.accept("%s: %s; opening another one".formatted(label, fate.why()));
          if (!fate.carries()) {
            held = null;
            forget();
            next.finish();
          }
        } catch (RuntimeException | Error e) {
          // Any failure is caught: no other thread maintains this chain while the verb runs.
          hinder(String.valueOf(e.getMessage()));
        } finally {
          opened();
        }
        Thread.sleep(pause);
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
      }
    } catch (InterruptedException e) {
      if (held != null) {
        held.finish();
      }
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
    note.accept("%s: %s".formatted(label, why));
  }

  /**
   * Why a chain is to be replaced.
   *
   * @param carries whether it can be used until its replacement is open
   */
  private record Fate(String why, boolean carries) {}

  private void use(Chain opened) {
    synchronized (this) {
      chain = opened;
      failing = false;
      route++;
    }
    note.accept("%s via %s is open".formatted(label, String.join(", ", opened.relays())));
  }

  private synchronized void forget() {
    chain = null;
    obstacle = "it is being opened again";
  }

  /** Checks the chain every few seconds, and soon when pipes fail, until it is to be replaced. */
  private Fate untilReplaced(UUID id) throws InterruptedException {
    while (true) {
      awaitLook();
      Fate fate = fate(id);
      if (fate != null) {
        return fate;
      }
    }
  }

  private void awaitLook() throws InterruptedException {
    synchronized (this) {
      long due = System.nanoTime() + QUIET_LOOK.toNanos();
      for (long left = QUIET_LOOK.toMillis(); !failing && left > 0; ) {
        wait(left);
        left = (due - System.nanoTime()) / 1_000_000;
      }
    }
    Thread.sleep(LOOK);
  }

  /** Null where the chain is not to be replaced, or cannot be replaced now. */
  private @Nullable Fate fate(UUID id) {
    try {
      Chain now = client.chain(id);
      if (!Chains.isLive(now)) {
        return new Fate("the chain is " + now.state(), false);
      }
      if (follow(now)) {
        return new Fate("no pipe over it for %d s".formatted(FAILING.toSeconds()), false);
      }
      String draining = exact ? null : draining(now);
      return draining == null ? null : new Fate(draining + " on it drains", true);
    } catch (ProblemException e) {
      return e.status() == 404 ? new Fate("the orchestrator has no such chain", false) : null;
    } catch (UnreachableException e) {
      return null;
    }
  }

  /**
   * Updates the route, since the orchestrator may have rerouted the chain around a relay.
   *
   * @return whether pipes over it have failed for so long that the chain is to be replaced
   */
  private synchronized boolean follow(Chain now) {
    if (chain != null && !now.relays().equals(chain.relays())) {
      route++;
    }
    chain = now;
    boolean enough = System.nanoTime() - failingSinceNanos >= FAILING.toNanos();
    return !exact && failing && enough;
  }

  /** A draining relay of the chain; null where there is none. */
  private @Nullable String draining(Chain now) {
    return client.relays().relays().stream()
        .filter(
            relay -> now.relays().contains(relay.name()) && relay.status() == RelayStatus.DRAINING)
        .map(Relay::name)
        .findFirst()
        .orElse(null);
  }
}
