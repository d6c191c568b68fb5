package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.PartState;
import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.ingress.IngressListener;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.stream.RelayStream;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One chain's part at this relay. What new streams use is replaced as a whole when the part
 * changes; running streams keep what they started with.
 */
final class InstalledChain implements RelayStream.StreamObserver {
  private final UUID id;
  private final Ends ends;
  private final StreamLog streams = new StreamLog();
  private volatile @Nullable Wiring wiring;
  private volatile PartState state = PartState.READY;
  private volatile Lease lease;
  private volatile long revision;

  /**
   * What a stream needs.
   *
   * @param part as it was asked for
   */
  record Wiring(
      ChainPart part,
      PartSettings settings,
      Outlet outlet,
      @Nullable IngressListener ingress,
      @Nullable HopInlet inlet) {}

  /** Who hears of the end of every chain's streams. */
  @FunctionalInterface
  interface Ends {
    void ended(InstalledChain chain, RelayStream stream, CloseReason reason);
  }

  InstalledChain(UUID id, Lease lease, Ends ends) {
    this.id = id;
    this.lease = lease;
    this.ends = ends;
  }

  @Override
  public void ended(RelayStream stream, CloseReason reason) {
    ends.ended(this, stream, reason);
  }

  UUID id() {
    return id;
  }

  StreamLog streams() {
    return streams;
  }

  @Nullable Wiring wiring() {
    return wiring;
  }

  PartState state() {
    return state;
  }

  /** It says nothing of a part that takes no more streams. */
  Lease lease() {
    return lease;
  }

  /** Whether new streams are taken. */
  boolean takesStreams() {
    return state == PartState.READY && wiring != null;
  }

  /** The same part but for its lease and its revision. */
  boolean isSame(ChainPart other) {
    Wiring now = wiring;
    return now != null && takesStreams() && bare(now.part()).equals(bare(other));
  }

  /** Of the part that was installed last. It stays when that is gone and its streams run on. */
  long revision() {
    return revision;
  }

  /** As the contract has it: a part that does not say is the first. */
  static long revision(ChainPart part) {
    return Objects.requireNonNullElse(part.revision(), 0L);
  }

  void wire(Wiring newWiring) {
    wiring = newWiring;
    revision = revision(newWiring.part());
    state = PartState.READY;
  }

  void renew(Lease newLease) {
    lease = newLease;
  }

  /** The same part was asked for again. */
  void renew(ChainPart again, Lease newLease) {
    Wiring now = wiring;
    if (now != null) {
      wire(new Wiring(again, now.settings(), now.outlet(), now.ingress(), now.inlet()));
    }
    renew(newLease);
  }

  /** Takes no more streams, for a reason that {@code newState} names. */
  void retire(PartState newState) {
    state = newState;
    wiring = null;
  }

  /** Connections that are ready to the next relay. */
  int warmConnections() {
    Wiring now = wiring;
    return now == null ? 0 : now.outlet().ready();
  }

  /** Where clients connect to; null where they do not, or no more. */
  @Nullable InetSocketAddress ingress() {
    Wiring now = wiring;
    return now == null || now.ingress() == null ? null : now.ingress().address();
  }

  private static ChainPart bare(ChainPart part) {
    return new ChainPart(
        part.hopIndex(),
        0,
        part.ingress(),
        part.hopInlet(),
        part.hopOutlet(),
        part.egress(),
        part.options(),
        null);
  }
}
