package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An invitation as it is stored.
 *
 * @param digest of its secret
 * @param keyExpiresAt expiry of the API key that it gives; null for none
 * @param usedBy public key that signed its first use; null before that
 * @param apiKey id of the API key that it gave; null before that
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

  /** The same invitation, used by that key now or before. */
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
