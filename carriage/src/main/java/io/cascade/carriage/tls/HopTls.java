package io.cascade.carriage.tls;

import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One relay's TLS: TLS 1.3 only, both ends present a certificate, sessions are resumed.
 *
 * <p>The identity is made when it is first needed, which takes a moment. So {@link #fingerprint()}
 * is called off the event loops, and before any peer can know this relay.
 */
public final class HopTls {
  /** Bound on handshakes, which cost processor time before the peer has proved anything. */
  private static final int MOST_UNDERWAY = 1_024;

  private final String name;
  private final TlsLibrary library;
  private final long keyLimitBytes;
  private final Executor computations;
  private final LongAdder full = new LongAdder();
  private final LongAdder resumed = new LongAdder();
  private final LongAdder failed = new LongAdder();

  private final AtomicInteger underway = new AtomicInteger();
  private volatile @Nullable Ready ready;

  private record Ready(RelayIdentity identity, TlsEngines engines) {}

  /**
   * @param name the relay's name, for its certificate
   * @param library an available one
   */
  public HopTls(String name, TlsLibrary library) {
    this(name, library, KeyUse.LIMIT_BYTES);
  }

  /**
   * @param keyLimitBytes most bytes that one key may seal if the library does not change keys
   *     itself
   */
  public HopTls(String name, TlsLibrary library, long keyLimitBytes) {
    this(name, library, keyLimitBytes, Thread::startVirtualThread);
  }

  /**
   * @param computations runs the signatures and key exchanges of handshakes, if they take long in
   *     the library
   */
  HopTls(String name, TlsLibrary library, long keyLimitBytes, Executor computations) {
    this.name = name;
    this.library = library;
    this.keyLimitBytes = keyLimitBytes;
    this.computations = computations;
  }

  /** Returns this relay's fingerprint, which its neighbours must be told. Blocks the first time. */
  public Fingerprint fingerprint() {
    return make().identity().fingerprint();
  }

  /**
   * Makes the TLS of a connection to a relay that must present this certificate. May block once.
   */
  public TlsRecords dialling(InetSocketAddress peer, Fingerprint expected) {
    return new TlsRecords(make().engines().dialling(peer, expected), this, expected);
  }

  /**
   * Makes the TLS of an accepted connection; null before any peer can know this relay's
   * certificate, and while too many handshakes are in progress.
   */
  public @Nullable TlsRecords accepting() {
    Ready now = ready;
    if (now == null) {
      return null;
    }
    if (underway.incrementAndGet() > MOST_UNDERWAY) {
      underway.decrementAndGet();
      return null;
    }
    return new TlsRecords(now.engines().accepting(), this, null);
  }

  /** Numbers of {@code full}, {@code resumed} and {@code failed} handshakes since the start. */
  public Map<String, Long> handshakes() {
    return Map.of("full", full.sum(), "resumed", resumed.sum(), "failed", failed.sum());
  }

  Executor computations() {
    return computations;
  }

  void finished(boolean dialled, boolean resuming) {
    (resuming ? resumed : full).increment();
    over(dialled);
  }

  void failed(boolean dialled) {
    failed.increment();
    over(dialled);
  }

  private void over(boolean dialled) {
    if (!dialled) {
      underway.decrementAndGet();
    }
  }

  /** Exports the identity for a process that replaces this relay's; null if it was not made yet. */
  public @Nullable ExportedIdentity exported() {
    Ready now = ready;
    try {
      return now == null ? null : now.identity().exported();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("keys and certificates made here can be written", e);
    }
  }

  /**
   * Takes over the identity of another process. Called before the identity is first needed.
   *
   * @throws IllegalArgumentException unless they are a key and its certificate
   */
  public synchronized void inherit(ExportedIdentity exported) {
    try {
      ready = ready(RelayIdentity.of(exported), new SecureRandom());
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("identity: " + e.getMessage(), e);
    }
  }

  private Ready ready(RelayIdentity identity, SecureRandom random) throws GeneralSecurityException {
    return new Ready(identity, library.engines(identity, random, keyLimitBytes));
  }

  private synchronized Ready make() {
    Ready now = ready;
    if (now == null) {
      try {
        SecureRandom random = new SecureRandom();
        now = ready(RelayIdentity.create(name, random), random);
        ready = now;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("P-256 and TLS 1.3 are part of every JDK", e);
      }
    }
    return now;
  }
}
