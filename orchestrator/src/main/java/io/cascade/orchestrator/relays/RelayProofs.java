package io.cascade.orchestrator.relays;

import io.cascade.api.identity.ControlProof;
import io.cascade.api.identity.RelayProof;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Checks that a relay's messages come from that relay. Signatures are verified without the
 * registry's lock; all other methods are called under it.
 *
 * <p>The sequence numbers of messages are not stored: after a restart of the orchestrator they
 * count from the stored registration.
 */
final class RelayProofs {
  private final Map<String, Long> sequences = new HashMap<>();

  /**
   * @throws Refusal if it is not signed with the key that it names
   */
  static void verify(RelayRegistration registration) {
    if (!RelayProof.holds(registration)) {
      throw new Refusal(
          ProblemKind.RELAY_UNPROVEN,
          sender(registration) + ": the signature is not by the key that it names");
    }
  }

  /**
   * @throws Refusal if it comes from another instance, or is not signed with the relay's key
   */
  static void verify(RegisteredRelay relay, Heartbeat heartbeat) {
    expectInstance(relay, heartbeat.instance());
    if (!RelayProof.holds(relay.registration().publicKey(), relay.name(), heartbeat)) {
      throw new Refusal(
          ProblemKind.RELAY_UNPROVEN, relay.name() + ": the heartbeat is not signed by its key");
    }
  }

  /**
   * @throws Refusal if it comes from another instance, or is not signed with the relay's key
   */
  static void verify(RegisteredRelay relay, ControlProof proof) {
    expectInstance(relay, proof.instance());
    if (!RelayProof.holds(relay.registration().publicKey(), relay.name(), proof)) {
      throw new Refusal(
          ProblemKind.RELAY_UNPROVEN,
          relay.name() + ": the control connection is not signed by its key");
    }
  }

  /**
   * Checks that the registration may replace the present one.
   *
   * @throws Refusal if it may not
   */
  void admit(RegisteredRelay present, RelayRegistration registration) {
    RelayRegistration known = present.registration();
    String name = present.name();
    if (!known.publicKey().equals(registration.publicKey())) {
      throw new Refusal(
          ProblemKind.RELAY_UNPROVEN,
          sender(registration)
              + ": its key is "
              + RelayProof.fingerprint(registration.publicKey())
              + ", and the name belongs to "
              + RelayProof.fingerprint(known.publicKey())
              + " since it registered; fix: start it with that relay's identity file, or with"
              + " another --name, or release the name: DELETE /api/v1/relays/"
              + name);
    }
    if (registration.generation() < known.generation()) {
      throw new Refusal(
          ProblemKind.RELAY_SUPERSEDED,
          name
              + ": generation "
              + registration.generation()
              + " was replaced by generation "
              + known.generation()
              + ", registered at "
              + present.registeredAt()
              + "; fix: stop one of the two, or give each its own --name and --identity");
    }
    boolean sameInstance = registration.instance().equals(known.instance());
    if (registration.generation().equals(known.generation()) && !sameInstance) {
      throw new Refusal(
          ProblemKind.RELAY_DOUBLED,
          name
              + ": another process with the same identity and generation "
              + known.generation()
              + " is registered; fix: start this process again, or, to keep both, give it its own"
              + " --name and --identity");
    }
    if (sameInstance) {
      expectLater(present, registration.sequence());
    }
  }

  /** Records that the registration was accepted. */
  void admitted(RelayRegistration registration) {
    sequences.put(registration.name(), registration.sequence());
  }

  /**
   * Records a message.
   *
   * @throws Refusal if it comes from another instance, or is a replay
   */
  void hear(RegisteredRelay present, UUID instance, long sequence) {
    expectInstance(present, instance);
    expectLater(present, sequence);
    sequences.put(present.name(), sequence);
  }

  void forget(String name) {
    sequences.remove(name);
  }

  private void expectLater(RegisteredRelay present, long sequence) {
    long last = sequences.getOrDefault(present.name(), present.registration().sequence());
    if (sequence <= last) {
      throw new Refusal(
          ProblemKind.STALE_MESSAGE,
          present.name() + ": message " + sequence + " (expected: a number above " + last + ")");
    }
  }

  private static void expectInstance(RegisteredRelay present, UUID instance) {
    if (!present.instance().equals(instance)) {
      throw new Refusal(
          ProblemKind.UNKNOWN_INSTANCE,
          present.name() + ": another instance is registered; fix: register again");
    }
  }

  private static String sender(RelayRegistration registration) {
    Endpoint hop = registration.hop();
    return registration.name() + " at " + hop.host() + ":" + hop.port();
  }
}
