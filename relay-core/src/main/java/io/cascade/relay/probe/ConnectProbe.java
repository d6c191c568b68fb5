package io.cascade.relay.probe;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.ConnectionError;
import io.cascade.command.names.NamedPeer;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.names.NameLookups;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures a destination by connecting to it a few times. Connections begin {@value
 * #SPACING_MILLIS} ms after each other, whether or not earlier ones have ended, so that a probe
 * takes little longer than its slowest connection. TCP's handshake takes one round trip, or a
 * second and more if one of its packets is lost (RFC 6298, section 2.1). So late connections are
 * counted but left out of the round-trip times.
 */
public final class ConnectProbe {
  static final int SPACING_MILLIS = 15;

  private static final int DEFAULT_COUNT = 5;
  private static final int DEFAULT_TIMEOUT_MILLIS = 3_000;
  private static final long LATE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Duration MOST_RESOLVING = Duration.ofSeconds(3);

  private final DestinationPolicy destinations;
  private final NameLookups names;
  private final Connector connector;

  /** Opens a connection and closes it. */
  @FunctionalInterface
  interface Connector {
    /**
     * @return nanoseconds until it was open
     * @throws IOException for a reason that {@link ConnectionError#of(Throwable)} names
     */
    long connect(InetSocketAddress target, int timeoutMillis) throws IOException;
  }

  /**
   * @param destinations where probes may connect
   */
  public ConnectProbe(DestinationPolicy destinations, NameLookups names, Sockets sockets) {
    this(destinations, names, new ProbeConnections(sockets));
  }

  ConnectProbe(DestinationPolicy destinations, NameLookups names, Connector connector) {
    this.destinations = destinations;
    this.names = names;
    this.connector = connector;
  }

  /**
   * Blocks until all connections were opened or have failed.
   *
   * @throws UnknownHostException if the name has no address here
   */
  public ProbeReport probe(ProbeRequest request) throws UnknownHostException {
    int count = request.count() == null ? DEFAULT_COUNT : request.count();
    int timeout =
        request.timeoutMillis() == null ? DEFAULT_TIMEOUT_MILLIS : request.timeoutMillis();
    boolean guarded = Boolean.TRUE.equals(request.guarded());
    AddressRule rule = destinations.chain(request.host(), guarded);
    List<InetAddress> allowed = new ArrayList<>();
    AddressRefusal refusal = null;
    for (InetAddress each : resolve(request.host())) {
      AddressRefusal why = rule.refusal(each, request.port());
      if (why == null) {
        allowed.add(each);
      }
      refusal = refusal == null ? why : refusal;
    }
    if (allowed.isEmpty()) {
      return notAllowed(request, guarded ? null : refusal);
    }
    InetSocketAddress target =
        new NamedPeer(allowed, request.port()).quickest(Duration.ofMillis(timeout));
    List<Long> prompt = new ArrayList<>();
    int attempts = 0;
    int late = 0;
    String failure = null;
    for (Future<Long> one : connections(target, count, timeout)) {
      attempts++;
      try {
        long nanos = one.resultNow();
        if (nanos >= LATE_NANOS) {
          late++;
        } else {
          prompt.add(nanos);
        }
      } catch (IllegalStateException notMade) {
        failure = one.exceptionNow() instanceof IOException e ? name(e) : failure;
      }
    }
    Collections.sort(prompt);
    return ProbeReport.builder()
        .host(request.host())
        .port(request.port())
        .address(target.getAddress().getHostAddress())
        .attempts(attempts)
        .connected(prompt.size() + late)
        .late(late)
        .minRttMillis(prompt.isEmpty() ? null : prompt.getFirst() / 1e6)
        .medianRttMillis(median(prompt))
        .failure(failure)
        .build();
  }

  /** Makes the attempts and returns them once all have ended. */
  private List<Future<Long>> connections(InetSocketAddress target, int count, int timeoutMillis) {
    List<Future<Long>> begun = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        while (begun.size() < count) {
          if (!begun.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(SPACING_MILLIS);
          }
          begun.add(threads.submit(() -> connector.connect(target, timeoutMillis)));
        }
      } catch (InterruptedException e) {
        threads.shutdownNow();
        Thread.currentThread().interrupt();
      }
    }
    return begun;
  }

  /**
   * @param refusal null if the requester, such as a proxy's client, must not learn the resolved
   *     addresses
   */
  private static ProbeReport notAllowed(ProbeRequest request, @Nullable AddressRefusal refusal) {
    String failure = refusal == null ? "not allowed from there" : refusal.text();
    return ProbeReport.builder()
        .host(request.host())
        .port(request.port())
        .attempts(0)
        .connected(0)
        .late(0)
        .failure(failure)
        .notAllowed(true)
        .build();
  }

  /** Names a failure: {@code refused}, {@code timed out}, {@code unreachable}, or its message. */
  private static String name(IOException failure) {
    return switch (ConnectionError.of(failure)) {
      case REFUSED -> "refused";
      case TIMED_OUT -> "timed out";
      case HOST_UNREACHABLE, NETWORK_UNREACHABLE -> "unreachable";
      case BROKEN, NOT_GENUINE, KEY_USED_UP, OTHER -> ConnectionError.words(failure);
    };
  }

  /**
   * Bounded, since unreachable name servers block callers for many seconds, which is too long for a
   * plan.
   */
  private List<InetAddress> resolve(String host) throws UnknownHostException {
    try {
      return names.lookUp(host, MOST_RESOLVING).get();
    } catch (ExecutionException e) {
      throw new UnknownHostException(host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  /** The median in milliseconds; null for an empty list. */
  private static @Nullable Double median(List<Long> sorted) {
    if (sorted.isEmpty()) {
      return null;
    }
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle) / 1e6
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2e6;
  }
}
