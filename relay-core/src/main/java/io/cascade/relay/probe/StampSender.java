package io.cascade.relay.probe;

import io.cascade.api.orchestrator.LinkMeasurement;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sender's half of STAMP for all peers: when to probe which peer, and the results.
 *
 * <p>A peer gets 20 probes a second while it is new and 10 later, or fewer while no caller needs
 * the measurements, at intervals that vary by a quarter so that relays do not fall into step. All
 * peers together get at most 200 a second; if they would need more, each gets its share.
 *
 * <p>Peers that are probed less than once a second are probed together, up to 16 of them: a wake-up
 * costs more than a probe. These probes together are shorter than one packet of data, so that they
 * hardly wait for each other on a slow link.
 *
 * <p>Not thread-safe; time, packets and randomness are passed in.
 */
final class StampSender {
  /** A peer that has not answered for this long may answer at another of its addresses. */
  private static final long MOST_SILENCE_NANOS = 60_000_000_000L;

  static final int MOST_PEERS = 4_096;

  private static final double RATE_WHILE_NEW = 20;
  private static final double RATE = 10;
  private static final double RATE_OF_ALL = 200;
  private static final Duration NEW = Duration.ofSeconds(5);
  private static final double SLOW_RATE = 1;
  static final int MOST_TOGETHER = 16;

  private final RandomGenerator random;
  private final Map<String, Paced> byPeer = new LinkedHashMap<>();
  private final Map<Short, LinkSession> byId = new HashMap<>();
  private double rate = RATE;

  /** Peers whose probes are sent with the previous one, and which then are due together. */
  private final Queue<Paced> together = new ArrayDeque<>();

  StampSender(RandomGenerator random) {
    this.random = random;
  }

  /** A peer and its address; measuring begins anew when the address changes. */
  record Peer(String name, InetSocketAddress address) {}

  /** A probe and its target. */
  record Departure(InetSocketAddress target, StampPacket.Test packet) {}

  /**
   * The address at which a peer is measured and answers, or may still answer; null if there is
   * none.
   */
  @Nullable InetSocketAddress inUse(String peer, long nowNanos) {
    Paced known = byPeer.get(peer);
    return known == null || known.session.silenceNanos(nowNanos) > MOST_SILENCE_NANOS
        ? null
        : known.session.target();
  }

  /** Replaces the peers to measure, of which at most {@value #MOST_PEERS} are used. */
  void peers(List<Peer> peers, long nowNanos) {
    Map<String, Paced> before = new HashMap<>(byPeer);
    byPeer.clear();
    byId.clear();
    together.clear();
    for (Peer peer : peers.subList(0, Math.min(peers.size(), MOST_PEERS))) {
      Paced known = before.get(peer.name());
      if (known != null && known.session.target().equals(peer.address())) {
        byPeer.put(peer.name(), known);
        byId.put(known.session.id(), known.session);
      }
    }
    for (Peer peer : peers.subList(0, Math.min(peers.size(), MOST_PEERS))) {
      if (!byPeer.containsKey(peer.name())) {
        LinkSession session = new LinkSession(peer.name(), peer.address(), freeId(), nowNanos);
        long firstIn = (long) (random.nextDouble() * 1e9 / RATE_WHILE_NEW);
        byPeer.put(peer.name(), new Paced(session, nowNanos + firstIn));
        byId.put(session.id(), session);
      }
    }
  }

  /**
   * Sets how often peers are probed once they are no longer new.
   *
   * @param leastBetween mean time between two probes to one peer, at least; zero for ten probes a
   *     second
   */
  void pace(Duration leastBetween, long nowNanos) {
    double before = rate;
    rate = Math.min(RATE, 1e9 / Math.max(1, leastBetween.toNanos()));
    if (rate > before) {
      for (Paced paced : byPeer.values()) {
        long soonest = nowNanos + intervalNanos(paced.session, nowNanos);
        if (paced.dueNanos - soonest > 0) {
          paced.dueNanos = soonest;
        }
      }
    }
  }

  /**
   * Returns the next probe that is due; null if none is.
   *
   * @param timestamp T1, in NTP's format
   */
  @Nullable Departure next(long nowNanos, long timestamp) {
    Paced due = together.poll();
    if (due == null) {
      due = soonest();
      if (due == null || due.dueNanos - nowNanos > 0) {
        return null;
      }
      due.dueNanos = nowNanos + intervalNanos(due.session, nowNanos);
      gather(due, nowNanos);
    }
    due.session.expire(nowNanos);
    return new Departure(due.session.target(), due.session.send(nowNanos, timestamp));
  }

  /** Makes neighbours in the list that also are at the slow pace due together with this peer. */
  private void gather(Paced first, long nowNanos) {
    if (rate(first.session, nowNanos) >= SLOW_RATE) {
      return;
    }
    List<Paced> all = List.copyOf(byPeer.values());
    int at = all.indexOf(first);
    int from = at - at % MOST_TOGETHER;
    long soon = (first.dueNanos - nowNanos) / 2;
    for (Paced other : all.subList(from, Math.min(from + MOST_TOGETHER, all.size()))) {
      if (!other.equals(first)
          && other.dueNanos - nowNanos < soon
          && rate(other.session, nowNanos) < SLOW_RATE) {
        other.dueNanos = first.dueNanos;
        together.add(other);
      }
    }
  }

  /** Time until a probe is due; null if there are no peers. */
  @Nullable Duration untilNext(long nowNanos) {
    if (!together.isEmpty()) {
      return Duration.ZERO;
    }
    Paced soonest = soonest();
    return soonest == null ? null : Duration.ofNanos(Math.max(0, soonest.dueNanos - nowNanos));
  }

  /**
   * @return whether it answers an unsettled probe
   */
  boolean answered(StampPacket.Reflected answer, long nowNanos) {
    // By session and not by source: a peer with several addresses may answer from another one.
    LinkSession session = byId.get(answer.session());
    return session != null && session.answered(answer, nowNanos);
  }

  /**
   * @param deliver runs the effect of {@link LinkReport#delivered}, for example under a lock
   */
  LinkReport report(long nowNanos, java.util.function.Consumer<Runnable> deliver) {
    List<LinkMeasurement> links = new ArrayList<>();
    Map<LinkSession, LinkSession.Totals> reported = new HashMap<>();
    for (Paced paced : byPeer.values()) {
      LinkSession session = paced.session;
      session.expire(nowNanos);
      LinkMeasurement link = session.undelivered();
      if (link != null) {
        links.add(link);
        reported.put(session, session.totals());
      }
    }
    return new LinkReport() {
      @Override
      public List<LinkMeasurement> links() {
        return List.copyOf(links);
      }

      @Override
      public void delivered() {
        deliver.accept(() -> reported.forEach(LinkSession::delivered));
      }
    };
  }

  private @Nullable Paced soonest() {
    Paced soonest = null;
    for (Paced paced : byPeer.values()) {
      if (soonest == null || paced.dueNanos - soonest.dueNanos < 0) {
        soonest = paced;
      }
    }
    return soonest;
  }

  private long intervalNanos(LinkSession session, long nowNanos) {
    double wanted = 0;
    for (Paced paced : byPeer.values()) {
      wanted += rate(paced.session, nowNanos);
    }
    double share = Math.max(1, wanted / RATE_OF_ALL);
    double variation = 0.75 + 0.5 * random.nextDouble();
    return (long) (1e9 / rate(session, nowNanos) * share * variation);
  }

  private double rate(LinkSession session, long nowNanos) {
    return session.ageNanos(nowNanos) < NEW.toNanos() ? RATE_WHILE_NEW : rate;
  }

  private short freeId() {
    while (true) {
      short id = (short) random.nextInt(1, 1 << 16);
      if (!byId.containsKey(id)) {
        return id;
      }
    }
  }

  private static final class Paced {
    private final LinkSession session;
    private long dueNanos;

    Paced(LinkSession session, long dueNanos) {
      this.session = session;
      this.dueNanos = dueNanos;
    }
  }
}
