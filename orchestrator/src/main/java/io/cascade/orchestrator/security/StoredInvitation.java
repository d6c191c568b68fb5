package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An invitation as it is kept.
 *
 * @param digest of its secret
 * @param keyExpiresAt end of the key that it brings; null for none
 * @param usedBy the key that signed its first use; null where there was none
 * @param apiKey what it brought; null where it has brought nothing
 */
record StoredInvitation(
    UUID id,
    String name,
    Role role,
    String digest,
    Instant createdAt,
    String createdBy,
    Instant expiresAt,
    @Nullable Instant keyExpiresAt,
    @Nullable String usedBy,
    @Nullable Instant usedAt,
    @Nullable UUID apiKey) {

  /** The same, used by that key now or before. */
  StoredInvitation usedBy(String publicKey, Instant now, UUID brought) {
    return new StoredInvitation(
        id,
        name,
        role,
        digest,
        createdAt,
        createdBy,
        expiresAt,
        keyExpiresAt,
        publicKey,
        usedAt == null ? now : usedAt,
        brought);
  }
}
