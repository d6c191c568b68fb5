package io.cascade.relay.proxy;

import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Paths of the streams that run, by client and destination host. A destination sees streams of
 * different paths come from different addresses, and some refuse what belongs to a session then, as
 * FTP's data connections: as long as any stream of a client to a host runs, others take its path.
 */
final class RunningPaths {
  private final Map<Pair, Shared> pairs = new HashMap<>();

  private record Pair(InetAddress client, String host) {}

  /** Path of a pair's streams, and how many run. */
  private static final class Shared {
    PathKind path;
    int streams;

    Shared(PathKind path) {
      this.path = path;
    }
  }

  /**
   * Chooses the path of another stream.
   *
   * @param choose given the path of the client's streams to this host; null where none runs. Called
   *     under a lock
   * @return counts as running until {@link Place#startedOrGone}, and on if it started
   */
  synchronized Place enter(
      InetAddress client, String host, Function<@Nullable PathKind, RouteCache.Choice> choose) {
    Pair pair = new Pair(client, host);
    Shared running = pairs.get(pair);
    RouteCache.Choice choice = choose.apply(running == null ? null : running.path);
    if (running == null) {
      running = new Shared(choice.path());
      pairs.put(pair, running);
    }
    running.streams++;
    return new Place(pair, running, choice);
  }

  /** Number of pairs of which a stream runs. */
  synchronized int pairs() {
    return pairs.size();
  }

  private synchronized void leave(Pair pair, Shared shared) {
    shared.streams--;
    if (shared.streams == 0) {
      pairs.remove(pair);
    }
  }

  private synchronized void directly(Shared shared) {
    if (shared.streams == 1) {
      shared.path = PathKind.DIRECT;
    }
  }

  /** One stream's place among those of its pair. On its event loop. */
  final class Place implements RelayStream.StreamObserver {
    private final Pair pair;
    private final Shared shared;
    private final RouteCache.Choice choice;
    private RelayStream.@Nullable StreamObserver also;
    private boolean began;

    private Place(Pair pair, Shared shared, RouteCache.Choice choice) {
      this.pair = pair;
      this.shared = shared;
      this.choice = choice;
    }

    RouteCache.Choice choice() {
      return choice;
    }

    /** Tells another observer of the stream as well; null for none. */
    Place telling(RelayStream.@Nullable StreamObserver other) {
      also = other;
      return this;
    }

    /** The chain does not take the stream. */
    void goesDirectly() {
      directly(shared);
    }

    /** Called when the stream was begun or refused. */
    void startedOrGone() {
      if (!began) {
        leave(pair, shared);
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
      leave(pair, shared);
      if (also != null) {
        also.ended(stream, reason);
      }
    }
  }
}
