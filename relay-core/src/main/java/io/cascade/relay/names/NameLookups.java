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
 * Resolves the names of destinations that clients of proxies choose and probes request, on threads
 * of their own. So names without an answer delay each other, but neither the registration, nor
 * leases, nor names that the orchestrator chose.
 *
 * <p>Asks the machine's resolver, like all other programs there, with its {@code nsswitch.conf},
 * {@code /etc/hosts} and search domains. Concurrent look-ups of the same name are merged.
 */
public final class NameLookups {
  /** Concurrent look-ups. */
  static final int MOST = 32;

  /** Most names that wait for a thread. */
  static final int WAITING = 1_024;

  private final Resolver resolver;
  private final Executor threads = LookupThreads.pool("destination-names", MOST, WAITING);
  private final Map<String, Lookup> underWay = new HashMap<>();

  /** Resolves a name. Blocks. */
  @FunctionalInterface
  public interface Resolver {
    /** The JDK's resolver, which is the machine's. */
    Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /**
     * @return one address or more, in the order in which to try them
     */
    List<InetAddress> addresses(String host) throws UnknownHostException;
  }

  public NameLookups(Resolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Resolves a name. Never blocks. An address is returned as it is, at once.
   *
   * @param within time for the answer, including the wait for other names
   * @return one address or more; or fails with {@link UnknownHostException} if the name has none,
   *     {@link TimeoutException} if there is no answer in time, or {@link
   *     RejectedExecutionException} if too many names wait
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

  /** Look-up of a name, shared by all callers that request it meanwhile. */
  private final class Lookup implements Runnable {
    private final String host;
    final CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
    private long wantedUntil = System.nanoTime();

    Lookup(String host) {
      this.host = host;
    }

    /** Extends the wait. Called with the lock held. */
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

    /**
     * Whether no caller waits for the answer any longer; then it also leaves the table, so that no
     * caller joins it.
     */
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
