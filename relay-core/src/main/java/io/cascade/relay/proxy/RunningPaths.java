package io.cascade.relay.proxy;

import io.cascade.api.HostPort;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Paths of the running streams, by client and destination host. A destination sees streams on
 * different paths come from different addresses. Some then refuse connections that belong to one
 * session, such as FTP's data connections. So while any stream of a client to a host runs, the
 * client's further streams use its path.
 *
 * <p>FTP's data connections are made to varying ports, to which no chain leads. So its control
 * connections go directly, and while one is open so do all streams of the client to that host.
 */
final class RunningPaths {
  /** Ports of FTP's control connections (RFC 959), also with implicit TLS (RFC 4217). */
  private static final Set<Integer> FTP = Set.of(21, 990);

  private final Map<Pair, Shared> pairs = new HashMap<>();

  private record Pair(InetAddress client, String host) {}

  /** Path of a pair's streams, their number, and how many of them are FTP control connections. */
  private static final class Shared {
    PathKind path;
    int streams;
    int controls;

    Shared(PathKind path) {
      this.path = path;
    }
  }

  /**
   * Chooses the path of another stream.
   *
   * @param choose receives the path of the client's streams to this host; null if none runs. Called
   *     under a lock, and not if FTP decides
   * @return counts as running until {@link Place#startedOrGone}, and longer if the stream started
   */
  synchronized Place enter(
      InetAddress client,
      HostPort destination,
      Function<@Nullable PathKind, RouteCache.Choice> choose) {
    Pair pair = new Pair(client, destination.host().toLowerCase(Locale.ROOT));
    Shared running = pairs.get(pair);
    boolean controls = FTP.contains(destination.port());
    RouteCache.Choice choice =
        controls || (running != null && running.controls > 0)
            ? RouteCache.Choice.DIRECTLY
            : choose.apply(running == null ? null : running.path);
    if (running == null) {
      running = new Shared(choice.path());
      pairs.put(pair, running);
    }
    running.streams++;
    running.controls += controls ? 1 : 0;
    return new Place(pair, running, controls, choice);
  }

  /** Number of pairs with running streams. */
  synchronized int pairs() {
    return pairs.size();
  }

  private synchronized void leave(Pair pair, Shared shared, boolean controls) {
    shared.streams--;
    shared.controls -= controls ? 1 : 0;
    if (shared.streams == 0) {
      pairs.remove(pair);
    }
  }

  private synchronized void directly(Shared shared) {
    if (shared.streams == 1) {
      shared.path = PathKind.DIRECT;
    }
  }

  /** One stream's place among those of its pair. Used on the stream's event loop. */
  final class Place implements RelayStream.StreamObserver {
    private final Pair pair;
    private final Shared shared;
    private final boolean controls;
    private final RouteCache.Choice choice;
    private RelayStream.@Nullable StreamObserver also;
    private boolean began;

    private Place(Pair pair, Shared shared, boolean controls, RouteCache.Choice choice) {
      this.pair = pair;
      this.shared = shared;
      this.controls = controls;
      this.choice = choice;
    }

    RouteCache.Choice choice() {
      return choice;
    }

    /** Adds another observer of the stream; null for none. */
    Place telling(RelayStream.@Nullable StreamObserver other) {
      also = other;
      return this;
    }

    /** The chain refuses the stream, which then goes directly. */
    void goesDirectly() {
      directly(shared);
    }

    /** Called when the stream was started or refused. */
    void startedOrGone() {
      if (!began) {
        leave(pair, shared, controls);
      }
    }

    @Override
    public void began(RelayStream stream) {
      began = true;
      if (also != null) {
        also.began(stream);
      }
    }

    @Override
    public void ended(RelayStream stream, CloseReason reason) {
      leave(pair, shared, controls);
      if (also != null) {
        also.ended(stream, reason);
      }
    }
  }
}
