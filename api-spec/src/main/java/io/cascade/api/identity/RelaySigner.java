package io.cascade.api.identity;

import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.SplitterReport;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Signs the messages of one instance of a relay. Every message has a greater sequence number than
 * the one before, so that none can be replayed.
 */
public final class RelaySigner {
  private final RelayKey key;
  private final long generation;
  private final AtomicLong sequence;

  /**
   * @param generation generation of the relay, 1 or more
   * @param sequence number of the last message of this instance; 0 if there is none
   */
  public RelaySigner(RelayKey key, long generation, long sequence) {
    this.key = key;
    this.generation = generation;
    this.sequence = new AtomicLong(sequence);
  }

  public RelayKey key() {
    return key;
  }

  public long generation() {
    return generation;
  }

  /** Number of the last message. */
  public long sequence() {
    return sequence.get();
  }

  /** The same registration, with the key, the generation, the next sequence number, signed. */
  public RelayRegistration sign(RelayRegistration unsigned) {
    RelayRegistration numbered = with(unsigned, sequence.incrementAndGet(), "");
    return with(numbered, numbered.sequence(), key.sign(SignedBytes.of(numbered)));
  }

  /** The same heartbeat of this relay, with the next sequence number, signed. */
  public Heartbeat sign(String relay, Heartbeat unsigned) {
    Heartbeat numbered = with(unsigned, sequence.incrementAndGet(), "");
    return with(numbered, numbered.sequence(), key.sign(SignedBytes.of(relay, numbered)));
  }

  /** The proof with which this relay opens its control connection. */
  public ControlProof sign(String relay, UUID instance) {
    ControlProof numbered = new ControlProof(instance, sequence.incrementAndGet(), "");
    return new ControlProof(
        instance, numbered.sequence(), key.sign(SignedBytes.of(relay, numbered)));
  }

  /** The same report of this gateway, with the key and the next sequence number, signed. */
  public GatewayReport sign(String gateway, GatewayReport unsigned) {
    GatewayReport numbered = with(unsigned, sequence.incrementAndGet(), "");
    return with(numbered, numbered.sequence(), key.sign(SignedBytes.of(gateway, numbered)));
  }

  /** The same report of this splitter, with the key and the next sequence number, signed. */
  public SplitterReport sign(String splitter, SplitterReport unsigned) {
    SplitterReport numbered = with(unsigned, sequence.incrementAndGet(), "");
    return with(numbered, numbered.sequence(), key.sign(SignedBytes.of(splitter, numbered)));
  }

  private SplitterReport with(SplitterReport said, long number, String signature) {
    return new SplitterReport(
        said.instance(),
        said.version(),
        key.publicKey(),
        number,
        signature,
        said.upSeconds(),
        said.policy(),
        said.connections(),
        said.refusedConnections(),
        said.operations(),
        said.pipes());
  }

  private GatewayReport with(GatewayReport said, long number, String signature) {
    return new GatewayReport(
        said.instance(),
        said.version(),
        key.publicKey(),
        number,
        signature,
        said.listen(),
        said.tun(),
        said.mtu(),
        said.upSeconds(),
        said.forwardedPackets(),
        said.drops(),
        said.links());
  }

  private RelayRegistration with(RelayRegistration said, long number, String signature) {
    return new RelayRegistration(
        said.name(),
        said.site(),
        said.instance(),
        said.version(),
        said.control(),
        said.hop(),
        said.capacityBitsPerSecond(),
        said.pricePerGib(),
        said.congestionControl(),
        said.congestionControls(),
        said.hopSecurity(),
        said.certificateSha256(),
        said.sendBufferBytes(),
        said.receiveBufferBytes(),
        said.coded(),
        said.rendezvous(),
        key.publicKey(),
        generation,
        number,
        signature);
  }

  private static Heartbeat with(Heartbeat said, long number, String signature) {
    return new Heartbeat(
        said.instance(),
        said.draining(),
        said.runningStreams(),
        said.heldBytes(),
        said.links(),
        said.limits(),
        number,
        signature,
        said.destinations(),
        said.stopping(),
        said.peersVersion());
  }
}
