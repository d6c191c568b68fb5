package io.cascade.command.names;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the first of a name's addresses that answers, as in RFC 8305: one attempt after the
 * other, each after a delay, and at once when the previous one has failed. An address that does not
 * answer delays a connection by that delay and not by a time-out.
 *
 * @param <C> a connection
 */
public final class AddressRace<C> {
  /** Delay after which the next address is tried beside the earlier ones (RFC 8305, section 5). */
  public static final Duration HEAD_START = Duration.ofMillis(250);

  private final List<InetSocketAddress> addresses;
  private final Dialler<C> dialler;
  private final CompletableFuture<C> result = new CompletableFuture<>();
  private final List<CompletableFuture<C>> attempts = new ArrayList<>();
  private int begun;
  private int ended;

  /** Dials connections. */
  public interface Dialler<C> {
    /**
     * Begins to connect. Never blocks.
     *
     * @return the connection; cancelled where it is no longer wanted
     */
    CompletableFuture<C> dial(InetSocketAddress to);

    /** Runs an action after a delay. */
    void later(Duration time, Runnable then);

    /** Closes a connection that was established too late. */
    void discard(C connection);

    /** Whether further addresses are to be tried. */
    default boolean isWanted() {
      return true;
    }
  }

  /**
   * @param addresses at least one, in the order in which they are tried, see {@link #ordered}
   */
  public AddressRace(List<InetSocketAddress> addresses, Dialler<C> dialler) {
    this.addresses = List.copyOf(addresses);
    this.dialler = dialler;
    result.whenComplete((_, _) -> cancelAll());
  }

  /**
   * Sorts a name's addresses: both families alternate, beginning with that of the first (RFC 8305,
   * section 4), otherwise in the resolver's order.
   */
  public static List<InetAddress> ordered(List<InetAddress> resolved) {
    Deque<InetAddress> first = new ArrayDeque<>();
    Deque<InetAddress> second = new ArrayDeque<>();
    for (InetAddress each : resolved) {
      boolean sameFamily = isIpv6(each) == isIpv6(resolved.getFirst());
      (sameFamily ? first : second).add(each);
    }
    List<InetAddress> ordered = new ArrayList<>();
    while (!first.isEmpty() || !second.isEmpty()) {
      if (!first.isEmpty()) {
        ordered.add(first.remove());
      }
      if (!second.isEmpty()) {
        ordered.add(second.remove());
      }
    }
    return ordered;
  }

  private static boolean isIpv6(InetAddress address) {
    return address instanceof Inet6Address;
  }

  /**
   * Begins. Never blocks.
   *
   * @return the first connection that is established; or the failure of the last attempt, where all
   *     fail. Cancelling it ends all attempts
   */
  public CompletableFuture<C> begin() {
    tryNext(0);
    return result;
  }

  /** Tries the address of this index, unless that was tried already. */
  private void tryNext(int index) {
    synchronized (this) {
      if (result.isDone() || index != begun || index == addresses.size()) {
        return;
      }
      begun++;
    }
    CompletableFuture<C> attempt = dialler.dial(addresses.get(index));
    synchronized (this) {
      attempts.add(attempt);
    }
    attempt.whenComplete(this::ended);
    if (result.isDone()) {
      attempt.cancel(false);
    } else if (index + 1 < addresses.size()) {
      dialler.later(
          HEAD_START,
          () -> {
            if (dialler.isWanted()) {
              tryNext(index + 1);
            }
          });
    }
  }

  private void ended(@Nullable C connection, @Nullable Throwable failure) {
    int next;
    boolean last;
    synchronized (this) {
      ended++;
      next = begun;
      last = ended == begun && (begun == addresses.size() || !dialler.isWanted());
    }
    if (connection != null) {
      if (!result.complete(connection)) {
        dialler.discard(connection);
      }
    } else if (last && failure != null) {
      result.completeExceptionally(failure);
    } else if (dialler.isWanted()) {
      tryNext(next);
    }
  }

  private void cancelAll() {
    List<CompletableFuture<C>> begunSoFar;
    synchronized (this) {
      begunSoFar = List.copyOf(attempts);
    }
    begunSoFar.forEach(each -> each.cancel(false));
  }
}
