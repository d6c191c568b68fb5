package io.cascade.client.measure;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Observation;
import io.cascade.command.names.NamedPeer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures paths by opening TCP connections, which every host may do. A connection takes one round
 * trip. A connection that takes a second or longer lost its SYN or the answer to it (RFC 6298
 * retransmits after one second) and counts as a loss, as does one that is never established. A
 * refusal is an answer: it took one round trip too.
 *
 * <p>The loss counted is that of both directions together, an upper bound of the loss that limits a
 * connection.
 *
 * @param probes connections to make to each target
 * @param spacing between their starts
 * @param timeout after which one counts as lost
 * @param enough answers after which the other connections are neither waited for nor counted
 */
public record PathProbe(int probes, Duration spacing, Duration timeout, int enough) {
  /** Time of a connection whose SYN was retransmitted. */
  private static final Duration LATE = Duration.ofSeconds(1);

  /** Waits for all connections. */
  public PathProbe(int probes, Duration spacing, Duration timeout) {
    this(probes, spacing, timeout, probes);
  }

  /**
   * Measures all targets at the same time.
   *
   * @param targets by the name that they have in an {@link Observation}
   */
  public List<Observation> measure(Map<String, HostPort> targets) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Map<String, Future<Observation>> running = new LinkedHashMap<>();
      targets.forEach((name, target) ->
          running.put(name, threads.submit(() -> measure(name, target, threads))));
      List<Observation> observations = new ArrayList<>();
      for (Future<Observation> one : running.values()) {
        observations.add(one.get());
      }
      return observations;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a probe failed: " + e.getCause(), e);
    }
  }

  private Observation measure(String name, HostPort target, ExecutorService threads)
      throws InterruptedException, ExecutionException {
    InetSocketAddress address;
    try {
      address = NamedPeer.resolve(target.host(), target.port()).quickest(timeout);
    } catch (UnknownHostException e) {
      // A host name that does not resolve here counts as unreachable.
      return Observation.builder().to(name).sent((long) probes).lost((long) probes).build();
    }
    CompletionService<Long> connections = new ExecutorCompletionService<>(threads);
    List<Future<Long>> begun = new ArrayList<>();
    if (enough == probes) {
      connect(address); // Not counted: loads classes and fills caches on the path.
    }
    for (int i = 0; i < probes; i++) {
      begun.add(connections.submit(() -> connect(address)));
      LockSupport.parkNanos(spacing.toNanos());
    }
    long[] answered = new long[probes];
    int count = 0;
    int ended = 0;
    while (ended < probes && count < enough) {
      long nanos = connections.take().get();
      ended++;
      if (nanos < LATE.toNanos()) {
        answered[count++] = nanos;
      }
    }
    begun.forEach(connection -> connection.cancel(true));
    Arrays.sort(answered, 0, count);
    // The lower quartile of all: queues and schedulers only add time.
    Double rttMillis = count == 0 ? null : Math.max(answered[count / 4], 1_000) / 1e6;
    return Observation.builder()
        .to(name)
        .sent((long) ended)
        .lost((long) (ended - count))
        .rttMillis(rttMillis)
        .build();
  }

  private long connect(InetSocketAddress address) {
    long start = System.nanoTime();
    try (Socket socket = new Socket()) {
      socket.connect(address, Math.toIntExact(timeout.toMillis()));
      return System.nanoTime() - start;
    } catch (ConnectException e) {
      return System.nanoTime() - start; // Refused: the host is reachable and answered.
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
