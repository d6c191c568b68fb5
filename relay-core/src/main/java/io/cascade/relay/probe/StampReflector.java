package io.cascade.relay.probe;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers test packets as a stateful reflector (RFC 8762, section 4.3): answers are numbered per
 * session, so that the sender can tell which way a packet was lost.
 *
 * <p>Anybody may send test packets, so sessions are bounded: when the table is full, a session that
 * was idle for a while makes room, and where none was, the newcomer gets no answer. A session is a
 * source address with the session identifier of RFC 8972.
 *
 * <p>Not thread-safe: belongs to the thread that receives.
 */
final class StampReflector {
  static final int MOST_SESSIONS = 1_024;
  static final Duration IDLE = Duration.ofSeconds(60);

  /** Sessions in order of last use, so that the first is the longest idle. */
  private final Map<Key, Session> sessions = new LinkedHashMap<>(64, 0.75f, true);

  private long refused;

  /**
   * @param receiveTimestamp T2, in NTP's format
   * @param sendTimestamp T3, in NTP's format
   * @return null where there is no room for another session
   */
  StampPacket.@Nullable Reflected answer(
      InetSocketAddress source,
      StampPacket.Test test,
      long receiveTimestamp,
      long sendTimestamp,
      long nowNanos) {
    Key key = new Key(source, test.session());
    Session session = sessions.get(key);
    if (session == null) {
      if (!makeRoom(nowNanos)) {
        refused++;
        return null;
      }
      session = new Session();
      sessions.put(key, session);
    }
    session.usedNanos = nowNanos;
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

  int sessions() {
    return sessions.size();
  }

  /** Test packets that found no room. */
  long refused() {
    return refused;
  }

  private boolean makeRoom(long nowNanos) {
    if (sessions.size() < MOST_SESSIONS) {
      return true;
    }
    Iterator<Session> eldest = sessions.values().iterator();
    if (nowNanos - eldest.next().usedNanos < IDLE.toNanos()) {
      return false;
    }
    eldest.remove();
    return true;
  }

  private record Key(InetSocketAddress source, short session) {}

  private static final class Session {
    private int next;
    private long usedNanos;
  }
}
