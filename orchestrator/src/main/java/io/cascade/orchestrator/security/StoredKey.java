package io.cascade.orchestrator.security;

import io.cascade.api.orchestrator.Role;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An API key as it is stored.
 *
 * @param digest of its text
 * @param controlToken of a relay's key; null of others
 * @param expiresAt null for never
 * @param relayKey public key of the only relay that may use it; null if any relay may
 * @param lastUsedAt as it was when the key was read from the store
 */
record StoredKey(
    UUID id,
    String name,
    Role role,
    String digest,
    @Nullable String controlToken,
    Instant createdAt,
    String createdBy,
    @Nullable Instant expiresAt,
    @Nullable String relayKey,
    @Nullable Instant lastUsedAt) {

  boolean isValid(Instant now) {
    return expiresAt == null || now.isBefore(expiresAt);
  }
}
