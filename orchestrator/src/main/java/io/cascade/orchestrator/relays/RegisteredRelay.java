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
 * @param registration registration of its present instance
 * @param restarts number of earlier instances
 * @param lastSeenAt time of its last message, in time of day
 * @param heardAt the same in steady time, or a later time from which this orchestrator expects
 *     messages; its status is judged by it
 * @param limits limits as it last reported them
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

  /** Its control port; null if only its own host can reach it. */
  public @Nullable Endpoint control() {
    return registration.control();
  }

  public Endpoint hop() {
    return registration.hop();
  }

  public boolean isUp() {
    return status == RelayStatus.UP;
  }

  /** Whether the relay lets its streams finish and accepts no new ones. */
  public boolean isDraining() {
    return status == RelayStatus.DRAINING;
  }

  /** Whether its heartbeats arrive. */
  boolean isHeard() {
    return isUp() || isDraining();
  }

  /** Whether it is lost, or announced that it stops. */
  public boolean isGone() {
    return status == RelayStatus.LOST || hasStopped();
  }

  /** Whether it announced that it stops. */
  public boolean hasStopped() {
    return status == RelayStatus.STOPPED;
  }

  /** Its kernel's name of a congestion control; empty if it does not offer it. */
  public Optional<String> offered(CongestionControl control) {
    return offers().stream()
        .filter(name -> CongestionControl.named(name).filter(one -> one == control).isPresent())
        .findFirst();
  }

  /** The congestion controls that it may be told to use. */
  public List<String> offers() {
    return Objects.requireNonNullElse(registration.congestionControls(), List.of());
  }

  /** Whether hops between it and others that offer it, too, may be coded. */
  public boolean offersCoded() {
    return Boolean.TRUE.equals(registration.coded());
  }

  /** Whether the relay can take part in encrypted hops. */
  public boolean hasTls() {
    return registration.certificateSha256() != null;
  }

  /** Whether the relay takes part in encrypted hops only. */
  public boolean insistsOnTls() {
    return registration.hopSecurity() == HopSecurity.TLS;
  }

  /**
   * @param steady the time {@code now} in steady time
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
   * The relay in the contract's form.
   *
   * @param drained whether it was drained at the orchestrator
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
