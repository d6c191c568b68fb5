package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.HopSecurity;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.model.tcp.CongestionControl;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State of a relay at one moment.
 *
 * @param registration as its present instance gave it
 * @param restarts instances before the present one
 * @param lastSeenAt when it last spoke, by the time of day
 * @param heardAt the same in steady time, or when this orchestrator had to hear from it if that was
 *     later: what its status is judged by
 * @param limits as it said last
 */
public record RegisteredRelay(
    RelayRegistration registration,
    RelayStatus status,
    Instant registeredAt,
    Instant lastSeenAt,
    Instant heardAt,
    int restarts,
    long runningStreams,
    long heldBytes,
    @Nullable RelayLimits limits) {

  public String name() {
    return registration.name();
  }

  public UUID instance() {
    return registration.instance();
  }

  /** Its control port; null where only its own host reaches it. */
  public @Nullable Endpoint control() {
    return registration.control();
  }

  public Endpoint hop() {
    return registration.hop();
  }

  public boolean isUp() {
    return status == RelayStatus.UP;
  }

  /** Returns whether the relay lets its streams finish and takes no new ones. */
  public boolean isDraining() {
    return status == RelayStatus.DRAINING;
  }

  /** Returns whether its heartbeats come. */
  boolean isHeard() {
    return isUp() || isDraining();
  }

  /** Returns whether it fell silent, or said that it ends. */
  public boolean isGone() {
    return status == RelayStatus.LOST || hasStopped();
  }

  /** Returns whether it said that it ends. */
  public boolean hasStopped() {
    return status == RelayStatus.STOPPED;
  }

  /** Its kernel's name of a congestion control that it offers; empty where it does not offer it. */
  public Optional<String> offered(CongestionControl control) {
    return offers().stream()
        .filter(name -> CongestionControl.named(name).filter(one -> one == control).isPresent())
        .findFirst();
  }

  /** The congestion controls that it may be told to send with. */
  public List<String> offers() {
    return Objects.requireNonNullElse(registration.congestionControls(), List.of());
  }

  /** Whether hops between it and others that do may be coded. */
  public boolean offersCoded() {
    return Boolean.TRUE.equals(registration.coded());
  }

  /** Returns whether the relay can take part in encrypted hops. */
  public boolean hasTls() {
    return registration.certificateSha256() != null;
  }

  /** Returns whether the relay takes part in encrypted hops alone. */
  public boolean insistsOnTls() {
    return registration.hopSecurity() == HopSecurity.TLS;
  }

  /**
   * @param steady the same moment in steady time
   */
  RegisteredRelay heard(Instant now, Instant steady, RelayStatus as, Heartbeat heartbeat) {
    return new RegisteredRelay(
        registration,
        as,
        registeredAt,
        now,
        steady,
        restarts,
        heartbeat.runningStreams(),
        heartbeat.heldBytes(),
        heartbeat.limits() == null ? limits : heartbeat.limits());
  }

  RegisteredRelay limited(RelayLimits to) {
    return new RegisteredRelay(
        registration,
        status,
        registeredAt,
        lastSeenAt,
        heardAt,
        restarts,
        runningStreams,
        heldBytes,
        to);
  }

  RegisteredRelay as(RelayStatus now) {
    return new RegisteredRelay(
        registration,
        now,
        registeredAt,
        lastSeenAt,
        heardAt,
        restarts,
        runningStreams,
        heldBytes,
        limits);
  }

  /**
   * The contract's document of the relay.
   *
   * @param drained whether somebody drained it here
   */
  Relay document(boolean drained) {
    return Relay.builder()
        .name(registration.name())
        .site(registration.site())
        .instance(registration.instance())
        .version(registration.version())
        .control(registration.control())
        .hop(registration.hop())
        .status(status)
        .registeredAt(registeredAt)
        .lastSeenAt(lastSeenAt)
        .restarts(restarts)
        .runningStreams(runningStreams)
        .heldBytes(heldBytes)
        .capacityBitsPerSecond(registration.capacityBitsPerSecond())
        .pricePerGib(registration.pricePerGib())
        .congestionControl(registration.congestionControl())
        .congestionControls(registration.congestionControls())
        .drained(drained ? true : null)
        .hopSecurity(registration.hopSecurity())
        .limits(limits)
        .sendBufferBytes(registration.sendBufferBytes())
        .receiveBufferBytes(registration.receiveBufferBytes())
        .rendezvous(registration.rendezvous())
        .build();
  }
}
