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
 * One relay's TLS: TLS 1.3 only, both ends show a certificate, sessions are resumed.
 *
 * <p>The identity is made at the first need, which takes a moment; {@link #fingerprint()} is
 * therefore called off the event loops, and before any peer can know this relay.
 */
public final class HopTls {
  /** Handshakes cost time before anybody has proved anything. */
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
   * @param name the relay's, for its certificate
   * @param library an available one
   */
  public HopTls(String name, TlsLibrary library) {
    this(name, library, KeyUse.LIMIT_BYTES);
  }

  /**
   * @param keyLimitBytes how much one key may seal where the library does not change keys itself
   */
  public HopTls(String name, TlsLibrary library, long keyLimitBytes) {
    this(name, library, keyLimitBytes, Thread::startVirtualThread);
  }

  /**
   * @param computations runs the signatures and key exchanges of handshakes, where the library
   *     takes long for them
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

  /** Makes the TLS of a connection to a relay that must show this certificate. May block once. */
  public TlsRecords dialling(InetSocketAddress peer, Fingerprint expected) {
    return new TlsRecords(make().engines().dialling(peer, expected), this, expected);
  }

  /**
   * Makes the TLS of an accepted connection; null before anybody can know this relay's certificate,
   * and where too many handshakes are under way.
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

  /** Handshakes since the start that were {@code full}, {@code resumed} or {@code failed}. */
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

  /**
   * Exports the identity for a process that takes this relay's place; null before the first need.
   */
  public @Nullable ExportedIdentity exported() {
    Ready now = ready;
    try {
      return now == null ? null : now.identity().exported();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("keys and certificates made here can be written", e);
    }
  }

  /**
   * Takes over the identity of another process. Before the first need.
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
