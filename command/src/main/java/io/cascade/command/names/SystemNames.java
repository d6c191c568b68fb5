package io.cascade.command.names;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resolver of every process of this system: the JDK's own, and so the machine's, with its
 * {@code nsswitch.conf}, {@code /etc/hosts} and search domains. Names resolve as in all other
 * programs there, which a separate DNS client could not guarantee.
 *
 * <p>The JDK's resolver blocks in a system call. On a virtual thread that occupies the carrier
 * thread, of which there is one for each processor: as many slow look-ups as processors block all
 * other virtual threads. A look-up of a virtual thread therefore runs on one of a few platform
 * threads, and has a deadline. Platform threads perform their own look-ups.
 *
 * <p>The JDK finds this class by {@code META-INF/services}. It caches answers, and joins look-ups
 * of the same name, before it asks a resolver.
 */
public final class SystemNames extends InetAddressResolverProvider {
  private static final int MOST = 32;
  private static final int WAITING = 1_024;

  /** More than the system's resolver takes if one of two name servers is silent. */
  private static final Duration DEADLINE = Duration.ofSeconds(15);

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new Resolver(
        configuration.builtinResolver(),
        LookupThreads.pool("system-names", MOST, WAITING),
        DEADLINE);
  }

  @Override
  public String name() {
    return "cascade";
  }

  /**
   * Delegates to another resolver.
   *
   * @param threads for look-ups of virtual threads
   * @param deadline of those, including the wait for a thread
   */
  record Resolver(InetAddressResolver system, ThreadPoolExecutor threads, Duration deadline)
      implements InetAddressResolver {
    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      List<InetAddress> addresses = lookUp(host, () -> system.lookupByName(host, policy).toList());
      return addresses.stream();
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return lookUp("an address", () -> system.lookupByAddress(address));
    }

    private <T> T lookUp(String what, Callable<T> ask) throws UnknownHostException {
      Future<T> answer;
      try {
        if (!Thread.currentThread().isVirtual()) {
          return ask.call();
        }
        answer = threads.submit(ask);
      } catch (RejectedExecutionException e) {
        throw failed(what + ": too many names are being looked up", e);
      } catch (Exception e) {
        throw cause(what, e);
      }
      try {
        return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw cause(what, e.getCause());
      } catch (TimeoutException e) {
        forget(answer);
        throw failed(what + ": no name server answered within " + deadline.toSeconds() + " s", e);
      } catch (InterruptedException e) {
        forget(answer);
        Thread.currentThread().interrupt();
        throw failed(what + ": interrupted", e);
      }
    }

    /** Cancels a look-up that waits for a thread; a running one cannot be ended. */
    private void forget(Future<?> answer) {
      answer.cancel(false);
      threads.purge();
    }

    private static UnknownHostException cause(String what, @Nullable Throwable failure) {
      return switch (failure) {
        case UnknownHostException unknown -> unknown;
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> failed(what + ": " + failure, failure);
      };
    }

    private static UnknownHostException failed(String words, @Nullable Throwable cause) {
      UnknownHostException failure = new UnknownHostException(words);
      failure.initCause(cause);
      return failure;
    }
  }
}
