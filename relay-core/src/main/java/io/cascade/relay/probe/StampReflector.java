package io.cascade.relay.probe;

import io.cascade.relay.admission.ClientSource;
import io.cascade.relay.admission.KnownPeers;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers test packets as a stateful reflector (RFC 8762, section 4.3): answers are numbered per
 * session, so that the sender can tell in which direction a packet was lost.
 *
 * <p>Any host may send test packets, under any source address, so sessions are bounded: per source,
 * and separately for all unknown sources and for all known relays ({@link KnownPeers}). When a
 * source with its full number of sessions opens another one, its least recently used session is
 * dropped. So a sender that forges a relay's address does not keep that relay's probes from being
 * answered. If there is no room for another source, one that was idle for a while is dropped; if
 * none was, the new source gets no answer. A session is a source address and port with the session
 * identifier of RFC 8972.
 *
 * <p>Not thread-safe: used by the receiving thread.
 */
final class StampReflector {
  /** Most sources at a time, of unknown peers and of known relays each. */
  static final int MOST_SOURCES = 1_024;

  /** Most sessions of an unknown source. */
  static final int MOST_OF_STRANGER = 16;

  /** Most sessions of a known address: several relays may share it. */
  static final int MOST_OF_KNOWN = 256;

  static final Duration IDLE = Duration.ofSeconds(60);

  private final KnownPeers peers;
  private final Map<Object, Source> known = newestLast();
  private final Map<Object, Source> strangers = newestLast();
  private long refused;

  StampReflector(KnownPeers peers) {
    this.peers = peers;
  }

  /**
   * @param receiveTimestamp T2, in NTP's format
   * @param sendTimestamp T3, in NTP's format
   * @return null if there is no room for another source
   */
  StampPacket.@Nullable Reflected answer(
      InetSocketAddress source,
      StampPacket.Test test,
      long receiveTimestamp,
      long sendTimestamp,
      long nowNanos) {
    Session session = session(source, test.session(), nowNanos);
    if (session == null) {
      refused++;
      return null;
    }
    return new StampPacket.Reflected(
        session.next++,
        sendTimestamp,
        StampPacket.ERROR_ESTIMATE,
        test.session(),
        receiveTimestamp,
        test.sequence(),
        test.timestamp(),
        test.errorEstimate());
  }

  /** Number of sessions of all sources. */
  int sessions() {
    return sessions(known) + sessions(strangers);
  }

  /** Number of test packets for which there was no room. */
  long refused() {
    return refused;
  }

  private static int sessions(Map<Object, Source> sources) {
    return sources.values().stream().mapToInt(source -> source.sessions.size()).sum();
  }

  private @Nullable Session session(InetSocketAddress from, short id, long nowNanos) {
    boolean isKnown = peers.knows(from.getAddress());
    Map<Object, Source> sources = isKnown ? known : strangers;
    Object address = ClientSource.of(from.getAddress());
    Source source = sources.get(address);
    if (source == null) {
      if (!makesRoom(sources, nowNanos)) {
        return null;
      }
      source = new Source();
      sources.put(address, source);
    }
    source.usedNanos = nowNanos;
    Key key = new Key(from.getPort(), id);
    Session session = source.sessions.get(key);
    if (session == null) {
      if (source.sessions.size() == (isKnown ? MOST_OF_KNOWN : MOST_OF_STRANGER)) {
        source.sessions.pollFirstEntry();
      }
      session = new Session();
      source.sessions.put(key, session);
    }
    return session;
  }

  /**
   * Whether there is room for one more source; the one that was idle for longest may be dropped.
   */
  private static boolean makesRoom(Map<Object, Source> sources, long nowNanos) {
    if (sources.size() < MOST_SOURCES) {
      return true;
    }
    Iterator<Source> eldest = sources.values().iterator();
    if (nowNanos - eldest.next().usedNanos < IDLE.toNanos()) {
      return false;
    }
    eldest.remove();
    return true;
  }

  private static <K, V> SequencedMap<K, V> newestLast() {
    return new LinkedHashMap<>(16, 0.75f, true);
  }

  private record Key(int port, short session) {}

  private static final class Source {
    final SequencedMap<Key, Session> sessions = newestLast();
    long usedNanos;
  }

  private static final class Session {
    int next;
  }
}
