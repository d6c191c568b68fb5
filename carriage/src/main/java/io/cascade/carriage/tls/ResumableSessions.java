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
 * BoringSSL's sessions that this relay can resume: the newest with each of the relays that it
 * dials.
 *
 * <p>A session is resumed as often as connections are opened before a newer one has come. RFC 8446
 * appendix C.4 advises against it because it lets an onlooker see that the connections belong
 * together; the addresses of two relays tell him that already. Keys stay apart, since each
 * connection makes an exchange of its own.
 */
final class ResumableSessions implements SSLSessionCache {
  /** Neighbours in chains, of which a relay has a few dozen; sessions take some KiB. */
  private static final int MOST = 256;

  private static final long NONE = -1;

  /** Peers by BoringSSL's address of the connection, which comes with each session. */
  private final Map<Long, Fingerprint> connections = new ConcurrentHashMap<>();

  /** The one that was used longest ago comes first. Guarded by itself. */
  private final SequencedMap<Fingerprint, Long> newest = new LinkedHashMap<>(16, 0.75f, true);

  /** The connection to {@code peer} resumes a session, if there is one, and will bring others. */
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
   * @return whether it is kept, and freed here
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

  /** A server's question; relays that accept keep nothing, their tickets hold it all. */
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
