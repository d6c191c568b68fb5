package io.cascade.carriage.tls;

import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLSession;
import io.netty.internal.tcnative.SSLSessionCache;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * BoringSSL's sessions that this relay can resume: the newest one with each of the relays that it
 * dials.
 *
 * <p>A session is resumed for every connection until a newer one arrives. RFC 8446 appendix C.4
 * advises against that, because an observer can see that the connections belong together; here the
 * addresses of the two relays already show that. Keys stay separate, since each connection makes
 * its own key exchange.
 */
final class ResumableSessions implements SSLSessionCache {
  /** Most neighbours in chains, of which a relay has a few dozen; a session takes some KiB. */
  private static final int MOST = 256;

  private static final long NONE = -1;

  /** Peers by BoringSSL's address of the connection, which is passed with each session. */
  private final Map<Long, Fingerprint> connections = new ConcurrentHashMap<>();

  /** Least recently used first. Guarded by itself. */
  private final SequencedMap<Fingerprint, Long> newest = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Makes the connection to {@code peer} resume a session if there is one, and records the sessions
   * that it brings.
   */
  void resume(long ssl, Fingerprint peer) {
    connections.put(ssl, peer);
    synchronized (newest) {
      Long session = newest.get(peer);
      if (session != null) {
        SSL.setSession(ssl, session);
      }
    }
  }

  void forget(long ssl) {
    connections.remove(ssl);
  }

  /**
   * @return whether it is kept, and later freed here
   */
  @Override
  public boolean sessionCreated(long ssl, long session) {
    Fingerprint peer = connections.get(ssl);
    if (peer == null) {
      return false;
    }
    synchronized (newest) {
      free(newest.put(peer, session));
      if (newest.size() > MOST) {
        free(newest.pollFirstEntry().getValue());
      }
    }
    return true;
  }

  /**
   * Called at servers only; relays that accept keep no sessions, since their tickets contain them.
   */
  @Override
  public long getSession(long ssl, byte[] id) {
    return NONE;
  }

  private static void free(@Nullable Long session) {
    if (session != null) {
      SSLSession.free(session);
    }
  }
}
