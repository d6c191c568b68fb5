package io.cascade.relay;

import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.carriage.socket.SocketBuffers;
import io.cascade.command.Version;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.probe.LinkReport;
import io.cascade.relay.registration.Registrant;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The content of a relay's registration with its orchestrator. */
final class RelayAnnouncement implements Registrant {
  private final RelayParts parts;
  private final IntSupplier controlPort;
  private final Supplier<@Nullable InetSocketAddress> rendezvous;
  private final Consumer<String> replaced;

  /**
   * @param rendezvous address of the port where ends meet; null if there is none
   * @param replaced receives the reason if another process now holds this relay's name
   */
  RelayAnnouncement(
      RelayParts parts,
      IntSupplier controlPort,
      Supplier<@Nullable InetSocketAddress> rendezvous,
      Consumer<String> replaced) {
    this.parts = parts;
    this.controlPort = controlPort;
    this.rendezvous = rendezvous;
    this.replaced = replaced;
  }

  @Override
  public RelayRegistration registration() {
    RelaySettings settings = parts.settings();
    SocketBuffers buffers = SocketBuffers.ofThisHost();
    InetSocketAddress meeting = rendezvous.get();
    return RelayRegistration.builder()
        .name(settings.name())
        .site(settings.site())
        .instance(parts.identity().instance())
        .version(Version.text())
        .control(
            settings.isControlReachable()
                ? new Endpoint(settings.advertise(), controlPort.getAsInt())
                : null)
        .hop(new Endpoint(settings.advertise(), parts.hopPort().address().getPort()))
        .capacityBitsPerSecond(settings.capacityBitsPerSecond())
        .pricePerGib(settings.pricePerGib())
        .congestionControl(settings.controls().usual())
        .congestionControls(settings.controls().offered())
        .hopSecurity(io.cascade.api.orchestrator.HopSecurity.valueOf(settings.hopSecurity().name()))
        .certificateSha256(
            settings.hopSecurity() == HopSecurity.PLAIN ? null : parts.tls().fingerprint().sha256())
        .sendBufferBytes(buffers.mostSendBytes())
        .receiveBufferBytes(buffers.mostReceiveBytes())
        .coded(parts.hops().coded() == null ? null : true)
        .rendezvous(meeting == null ? null : new Endpoint(settings.advertise(), meeting.getPort()))
        .publicKey("")
        .generation(0L)
        .sequence(0L)
        .signature("")
        .build();
  }

  @Override
  public RelaySigner signer() {
    RelaySigner signer = parts.identity().signer();
    if (signer == null) {
      throw new IllegalStateException("a relay without an orchestrator registers nowhere");
    }
    return signer;
  }

  @Override
  public long runningStreams() {
    return parts.chains().counters().runningStreams();
  }

  @Override
  public long heldBytes() {
    return parts.chains().admission().memory().heldBytes();
  }

  @Override
  public RelayLimits limits() {
    return parts.limits().announced();
  }

  @Override
  public LinkReport links() {
    return parts.hopPort().probes().drain();
  }

  @Override
  public DestinationUses destinations() {
    return parts.uses();
  }

  @Override
  public void peers(List<RelayPeer> peers, Duration leastBetween) {
    parts.chains().contacted();
    parts.hopPort().probes().peers(peers, leastBetween);
  }

  @Override
  public void replaced(String reason) {
    replaced.accept(reason);
  }
}
