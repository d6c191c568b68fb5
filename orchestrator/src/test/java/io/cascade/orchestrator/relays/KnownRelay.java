package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RelayStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an orchestrator knows of a relay, for tests without one.
 *
 * @param at its control port and its hop port
 * @param seenAt when it registered and was last seen
 */
public record KnownRelay(
    String name,
    Endpoint at,
    RelayStatus status,
    Instant seenAt,
    @Nullable Long capacityBitsPerSecond,
    @Nullable String congestionControl) {

  /** A relay that is up, on loopback, and has said no more of itself than it must. */
  public static KnownRelay named(String name) {
    return new KnownRelay(
        name, new Endpoint("127.0.0.1", 7411), RelayStatus.UP, Instant.EPOCH, null, null);
  }

  public KnownRelay at(String host, int port) {
    return new KnownRelay(
        name, new Endpoint(host, port), status, seenAt, capacityBitsPerSecond, congestionControl);
  }

  public KnownRelay is(RelayStatus now) {
    return new KnownRelay(name, at, now, seenAt, capacityBitsPerSecond, congestionControl);
  }

  public KnownRelay carries(long bitsPerSecond) {
    return new KnownRelay(name, at, status, seenAt, bitsPerSecond, congestionControl);
  }

  public KnownRelay sendsWith(String control) {
    return new KnownRelay(name, at, status, seenAt, capacityBitsPerSecond, control);
  }

  /** Registered and last seen then. */
  public KnownRelay seen(Instant then) {
    return new KnownRelay(name, at, status, then, capacityBitsPerSecond, congestionControl);
  }

  public RegisteredRelay relay() {
    return new RegisteredRelay(
        RelayRegistration.builder()
            .name(name)
            .site("berlin")
            .instance(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)))
            .version("0.1")
            .control(at)
            .hop(at)
            .capacityBitsPerSecond(capacityBitsPerSecond)
            .congestionControl(congestionControl)
            .publicKey("")
            .generation(1L)
            .sequence(1L)
            .signature("")
            .build(),
        status,
        seenAt,
        seenAt,
        seenAt,
        0,
        0,
        0,
        null);
  }
}
