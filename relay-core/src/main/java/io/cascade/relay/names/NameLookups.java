package io.cascade.relay.names;

import io.cascade.command.names.LookupThreads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks up the names of destinations, which clients of proxies choose and probes ask for. They have
 * threads of their own: names that nobody answers delay each other, and neither the registration,
 * nor leases, nor names that the orchestrator chose.
 *
 * <p>Asks the machine's resolver, as all other programs there do, with its {@code nsswitch.conf},
 * {@code /etc/hosts} and search domains. Look-ups of the same name at the same time are one.
 */
public final class NameLookups {
  /** Look-ups at a time. */
  static final int MOST = 32;

  /** Names that wait for their turn. */
  static final int WAITING = 1_024;

  private final Resolver resolver;
  private final Executor threads = LookupThreads.pool("destination-names", MOST, WAITING);
  private final Map<String, Lookup> underWay = new HashMap<>();

  /** Finds the addresses of a name. Blocks. */
  @FunctionalInterface
  public interface Resolver {
    /** The JDK's, which is the machine's. */
    Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /**
     * @return one address or more, in the order in which they are to be tried
     */
    List<InetAddress> addresses(String host) throws UnknownHostException;
  }

  public NameLookups(Resolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Looks up a name. Never blocks. An address is its own answer, at once.
   *
   * @param within time for the answer, the wait for other names included
   * @return one address or more; or fails with {@link UnknownHostException} where the name has
   *     none, {@link TimeoutException} where there is no answer in time, or {@link
   *     RejectedExecutionException} where too many names wait
   */
  public CompletableFuture<List<InetAddress>> lookUp(String host, Duration within) {
    try {
      return CompletableFuture.completedFuture(List.of(InetAddress.ofLiteral(host)));
    } catch (IllegalArgumentException e) {
      return lookUpName(host, within);
    }
  }

  private CompletableFuture<List<InetAddress>> lookUpName(String host, Duration within) {
    Lookup lookup;
    synchronized (underWay) {
      Lookup same = underWay.get(host);
      lookup = same == null ? new Lookup(host) : same;
      lookup.wantedFor(within);
      if (same == null) {
        try {
          threads.execute(lookup);
        } catch (RejectedExecutionException e) {
          return CompletableFuture.failedFuture(e);
        }
        underWay.put(host, lookup);
      }
    }
    return lookup.found.copy().orTimeout(within.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Look-up of a name, for everybody who asks for it meanwhile. */
  private final class Lookup implements Runnable {
    private final String host;
    final CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
    private long wantedUntil = System.nanoTime();

    Lookup(String host) {
      this.host = host;
    }

    /** Called with the lock held. */
    void wantedFor(Duration within) {
      long until = System.nanoTime() + within.toNanos();
      wantedUntil = until - wantedUntil > 0 ? until : wantedUntil;
    }

    @Override
    public void run() {
      if (isOutdated()) {
        found.completeExceptionally(new TimeoutException());
        return;
      }
      try {
        List<InetAddress> addresses = resolver.addresses(host);
        leave();
        found.complete(addresses);
      } catch (UnknownHostException | RuntimeException | Error e) {
        leave();
        found.completeExceptionally(e);
      }
    }

    /** Whether nobody waits for the answer any more; then nobody comes to wait either. */
    private boolean isOutdated() {
      synchronized (underWay) {
        boolean outdated = System.nanoTime() - wantedUntil > 0;
        if (outdated) {
          underWay.remove(host);
        }
        return outdated;
      }
    }

    private void leave() {
      synchronized (underWay) {
        underWay.remove(host);
      }
    }
  }
}
