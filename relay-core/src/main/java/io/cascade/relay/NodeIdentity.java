package io.cascade.relay;

import io.cascade.api.identity.IdentityFile;
import io.cascade.api.identity.RelaySigner;
import io.cascade.relay.handover.HandoverState;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The relay's identity towards its orchestrator: the instance, and the key that signs its messages.
 * A relay without an orchestrator has no key.
 */
final class NodeIdentity {
  private static final Logger LOG = Logger.getLogger(NodeIdentity.class.getName());

  /** Bound on the messages that a relay sends between giving way and its last one. */
  private static final long SEQUENCE_LEAP = 1L << 20;

  private final RelaySettings settings;
  private volatile UUID instance = UUID.randomUUID();
  private volatile @Nullable IdentityFile file;
  private volatile @Nullable RelaySigner signer;

  NodeIdentity(RelaySettings settings) {
    this.settings = settings;
  }

  /** New at every start, except when the process replaces that of a running relay. */
  UUID instance() {
    return instance;
  }

  /** Signs messages to the orchestrator; null if there is none. */
  @Nullable RelaySigner signer() {
    return signer;
  }

  /** Loads the identity for a start of the relay. */
  void start() {
    if (!settings.orchestrators().isEmpty()) {
      use(IdentityFile.start(settings.identity()), 0);
    }
  }

  /**
   * Takes over the identity of the previous process, or loads one if that process had no
   * orchestrator.
   */
  void takeOver(HandoverState state) {
    instance = state.instance();
    HandoverState.Signing signing = state.signing();
    if (settings.orchestrators().isEmpty() || signing == null) {
      start();
    } else {
      use(
          IdentityFile.takeOver(settings.identity(), signing.publicKey(), signing.generation()),
          signing.sequence());
    }
  }

  private void use(IdentityFile newFile, long sequence) {
    file = newFile;
    signer = new RelaySigner(newFile.key(), newFile.generation(), sequence);
  }

  /**
   * Locks the file, which the previous process has released or is about to release. Never fails.
   */
  void lock(Duration patience) {
    IdentityFile own = file;
    try {
      if (own != null && !own.awaitLock(patience)) {
        LOG.warning("identity " + settings.identity() + ": another process holds its lock");
      }
    } catch (IOException e) {
      LOG.warning("identity " + settings.identity() + " is not locked: " + e.getMessage());
    }
  }

  /** Describes the signatures for a successor; null if there are none. */
  HandoverState.@Nullable Signing snapshot() {
    RelaySigner own = signer;
    return own == null
        ? null
        : new HandoverState.Signing(
            own.key().publicKey(), own.generation(), own.sequence() + SEQUENCE_LEAP);
  }

  /** Releases the lock on the file. */
  void release() {
    IdentityFile held = file;
    if (held != null) {
      held.close();
    }
  }
}
